import { bytes, type Bytes } from '../../contract/units.ts'

/** What a product must compute and move, counted for the shape that was asked for, never for a padded one. */

export interface ProductShape {
  /** M */
  rows: number
  /** K */
  cols: number
  /** N */
  columns: number
}

export interface SparsePattern {
  /** V */
  vector: number
  /** K', columns a tile keeps. */
  keptColumns: number
  n: number
  m: number
}

/** Dense work, 2·M·N·K; called dense-equivalent when a sparse kernel's time divides it. */
export const denseWork = ({ rows, cols, columns }: ProductShape): number => 2 * rows * cols * columns

/** Work that the pattern leaves: the kept weights alone. */
export const executedWork = ({ rows, columns }: ProductShape, { keptColumns, n, m }: SparsePattern): number => (2 * rows * columns * keptColumns * n) / m

/** Bytes that must cross from memory at least once: weights as stored, activations, output. */
export const movedBytes = ({ rows, cols, columns }: ProductShape, weightBytes: number): Bytes => bytes(weightBytes + 4 * columns * (cols + rows))

/** Bytes of activations that are copied into the first-level cache: every kept row once for each tile. */
export const gatheredBytes = ({ rows, columns }: ProductShape, { vector, keptColumns }: SparsePattern): Bytes =>
  bytes(Math.ceil(rows / vector) * keptColumns * columns * 4)

/** Peaks measured on this machine with this number of threads. */
export interface Ceilings {
  /** FLOP/s */
  multiplyAdd: number
  /** Bytes/s */
  bandwidth: number
}

export interface Roofline {
  /** Executed work over bytes. */
  intensity: number
  /** Highest possible rate at that intensity, FLOP/s. */
  ceiling: number
  bound: 'arithmetic' | 'memory'
  /** Rate reached on executed work, FLOP/s. */
  executed: number
  /** Rate reached counted as if the product were dense, FLOP/s: it may pass the ceiling, and that is legitimate. */
  denseEquivalent: number
  /** executed over the arithmetic peak. */
  peakShare: number
}

export function roofline(shape: ProductShape, work: number, moved: number, milliseconds: number, ceilings: Ceilings): Roofline {
  const intensity = work / moved
  const memoryCeiling = intensity * ceilings.bandwidth
  const seconds = milliseconds / 1e3
  return {
    intensity,
    ceiling: Math.min(ceilings.multiplyAdd, memoryCeiling),
    bound: memoryCeiling < ceilings.multiplyAdd ? 'memory' : 'arithmetic',
    executed: work / seconds,
    denseEquivalent: denseWork(shape) / seconds,
    peakShare: work / seconds / ceilings.multiplyAdd,
  }
}
