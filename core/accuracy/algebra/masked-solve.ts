import { throwIfCancelled } from '../cancellation.ts'
import type { MatrixProducts } from './matrix-product.ts'

export interface MaskedSystem {
  /** H, K×K symmetric positive semidefinite. */
  gram: Float64Array
  /** C, M×K: the right side of every row. */
  target: Float64Array
  /** Where to begin, M×K; zero outside the mask. */
  start: Float32Array
  /** 1 where a weight is kept, M×K. */
  mask: Uint8Array
  rows: number
  cols: number
  /** λ, added to the diagonal of H. */
  ridge: number
}

export interface SolveOptions {
  /** Stop when the residual of every row is below this share of its right side. */
  tolerance: number
  mostSteps: number
  signal?: AbortSignal
}

export interface Solution {
  /** M×K, zero outside the mask. */
  values: Float32Array
  steps: number
  /** The largest residual of a row over its right side. */
  residual: number
}

/**
 * Solves for each row i of Ŵ, over its kept columns S_i only, (H_SS + λI)·ŵ_S = C_iS: the normal equations of a
 * least-squares fit under a mask. All rows go together by conjugate gradients with the diagonal as preconditioner
 * (Hestenes and Stiefel 1952): one product of M×K with K×K a step, whatever the masks are, where a factorization
 * would be needed for every row.
 */
export async function solveMasked(products: MatrixProducts, system: MaskedSystem, { tolerance, mostSteps, signal }: SolveOptions): Promise<Solution> {
  const { rows, cols, mask, ridge } = system
  const gram = { values: Float32Array.from(system.gram), rows: cols, cols }
  const applied = async (values: Float32Array): Promise<Float32Array> => {
    const result = await products.multiply({ values, rows, cols }, gram)
    for (let i = 0; i < result.length; i++) result[i] = mask[i] ? result[i]! + ridge * values[i]! : 0
    return result
  }
  const scale = Float64Array.from({ length: cols }, (_, col) => 1 / (system.gram[col * cols + col]! + ridge || 1))
  const values = Float64Array.from(system.start)
  const residual = new Float64Array(rows * cols)
  const first = await applied(system.start)
  for (let i = 0; i < residual.length; i++) residual[i] = mask[i] ? system.target[i]! - first[i]! : 0
  const direction = new Float32Array(rows * cols)
  const state = { rows, cols, scale, values, residual, direction }
  const wanted = rowNorms(system.target, mask, rows, cols)
  const previous = new Float64Array(rows)
  let steps = 0
  let worst = worstResidual(residual, wanted, rows, cols)
  while (steps < mostSteps && worst > tolerance) {
    throwIfCancelled(signal)
    turn(state, previous)
    advance(state, await applied(direction), previous)
    worst = worstResidual(residual, wanted, rows, cols)
    steps += 1
  }
  return { values: Float32Array.from(values), steps, residual: worst }
}

interface State {
  rows: number
  cols: number
  /** 1 / diagonal of H + λI. */
  scale: Float64Array
  values: Float64Array
  residual: Float64Array
  direction: Float32Array
}

/** The next direction of each row: preconditioned residual plus β times the last direction; r·z is left in `products`. */
function turn({ rows, cols, scale, residual, direction }: State, products: Float64Array): void {
  for (let row = 0; row < rows; row++) {
    const from = row * cols
    let product = 0
    for (let col = 0; col < cols; col++) product += residual[from + col]! ** 2 * scale[col]!
    const beta = products[row]! > 0 ? product / products[row]! : 0
    for (let col = 0; col < cols; col++) direction[from + col] = residual[from + col]! * scale[col]! + beta * direction[from + col]!
    products[row] = product
  }
}

/** Steps each row along its direction by r·z / d·Ad. */
function advance({ rows, cols, values, residual, direction }: State, applied: Float32Array, products: Float64Array): void {
  for (let row = 0; row < rows; row++) {
    const from = row * cols
    let curvature = 0
    for (let col = 0; col < cols; col++) curvature += direction[from + col]! * applied[from + col]!
    const alpha = curvature > 0 ? products[row]! / curvature : 0
    for (let col = 0; col < cols; col++) {
      values[from + col] = values[from + col]! + alpha * direction[from + col]!
      residual[from + col] = residual[from + col]! - alpha * applied[from + col]!
    }
  }
}

function rowNorms(values: Float64Array, mask: Uint8Array, rows: number, cols: number): Float64Array {
  return Float64Array.from({ length: rows }, (_, row) => {
    let sum = 0
    for (let i = row * cols; i < (row + 1) * cols; i++) sum += mask[i] ? values[i]! ** 2 : 0
    return Math.sqrt(sum)
  })
}

function worstResidual(residual: Float64Array, wanted: Float64Array, rows: number, cols: number): number {
  let worst = 0
  for (let row = 0; row < rows; row++) {
    let sum = 0
    for (let i = row * cols; i < (row + 1) * cols; i++) sum += residual[i]! ** 2
    if (wanted[row]! > 0) worst = Math.max(worst, Math.sqrt(sum) / wanted[row]!)
  }
  return worst
}
