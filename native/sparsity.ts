import { addon, runJob, type Job } from './addon.ts'
import type { Order } from './permutation.ts'

/** A pattern as plain numbers; fields that a kind does not use are 0. See contract/pattern.ts for the meaning. */
export interface PatternParameters {
  kind: 'dense' | 'unstructured' | 'row-wise' | 'n:m' | 'vector' | 'venom' | 'hinm' | 'three-region'
  /** V, output channels a tile. */
  vector: number
  /** Share of column vectors pruned in every tile. */
  vectorSparsity: number
  n: number
  m: number
  /** Columns a VENOM block. */
  block: number
  /** Total share pruned, for the kinds that are asked by total. */
  sparsity: number
}

/** M×K scores, row-major, rho ≥ 0. */
export interface SaliencyMatrix {
  data: Float32Array
  rows: number
  cols: number
}

/** An explicit mask in the original order: bit (r·cols + c) of `bits`, least significant bit of a byte first. */
export interface Mask {
  rows: number
  cols: number
  bits: Uint8Array
  kept: number
}

/** Quality of a mask on the original saliency, accumulated in float64 (SCIENCE section 4). */
export interface Quality {
  kept: number
  keptSaliency: number
  totalSaliency: number
  /** R */
  retained: number
  /** RR, against the best unstructured mask of the same size. */
  relative: number
  /** R_vec; null for patterns without a vector level. */
  vector: number | null
  /** null where the denominator is 0: not defined. */
  efficacy: number | null
  /** Retained saliency of every tile over the tile's saliency; empty for patterns without tiles. */
  tiles: Float64Array
}

interface SparsityAddon {
  saliency(kind: string, weights: Float32Array): Float32Array
  buildMask(saliency: SaliencyMatrix, pattern: PatternParameters, order: Order | null, job: object): Promise<Mask>
  measureQuality(saliency: SaliencyMatrix, pattern: PatternParameters, order: Order | null, mask: Mask, job: object): Promise<Quality>
  recogniseMask(mask: Mask): PatternParameters
  applyMask(weights: Float32Array, mask: Mask): Float32Array
}
const native = (): SparsityAddon => addon() as unknown as SparsityAddon

/**
 * Scores of `weights`, same length.
 * @throws Error NOT_FINITE naming the position of the first NaN or Inf.
 */
export const saliency = (kind: 'magnitude' | 'squared', weights: Float32Array): Float32Array => native().saliency(kind, weights)

/**
 * The mask of a pattern under an order (null for patterns without one), in the original order of rows and columns.
 * The count of every group is verified after building; a mask that breaks its pattern rejects with VERIFICATION_FAILED.
 */
export const buildMask = (scores: SaliencyMatrix, pattern: PatternParameters, order: Order | null, job?: Job): Promise<Mask> =>
  runJob(job, (control) => native().buildMask(scores, pattern, order, control))

export const measureQuality = (scores: SaliencyMatrix, pattern: PatternParameters, order: Order | null, mask: Mask, job?: Job): Promise<Quality> =>
  runJob(job, (control) => native().measureQuality(scores, pattern, order, mask, control))

/**
 * The most specific pattern that the mask has in the original order of rows and columns; one that was made under another
 * order looks less structured than it is.
 */
export const recogniseMask = (mask: Mask): PatternParameters => native().recogniseMask(mask)

/** W∘mask as a new array; pruned weights become +0. */
export const applyMask = (weights: Float32Array, mask: Mask): Float32Array => native().applyMask(weights, mask)
