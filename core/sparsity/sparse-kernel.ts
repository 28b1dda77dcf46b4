import type { Pattern } from '../../contract/pattern.ts'

/** Patterns that a sparse kernel multiplies; a layer under any other one is stored and multiplied dense. */
export const hasSparseKernel = ({ kind }: Pattern): boolean => kind === 'n:m' || kind === 'vector' || kind === 'venom' || kind === 'hinm'
