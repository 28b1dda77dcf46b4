import { setImmediate } from 'node:timers/promises'
import { AppError } from '../../../contract/error.ts'
import { throwIfCancelled } from '../cancellation.ts'

/** Multiplications between two looks at the event loop: a few hundredths of a second. */
const sliceWork = 20_000_000

/**
 * The diagonal of H⁻¹ for a symmetric positive definite H (K×K, row-major): H = LLᵀ (Cholesky), then
 * [H⁻¹]_jj = Σ_i (L⁻¹)_ij². About 2K³/3 operations in float64; the event loop is served between slices.
 * @throws AppError NOT_FINITE when H is not positive definite, CANCELLED
 */
export async function inverseDiagonal(matrix: Float64Array, size: number, signal?: AbortSignal): Promise<Float64Array> {
  const pause = pauser(signal)
  const lower = await cholesky(matrix, size, pause)
  const inverse = new Float64Array(size * size)
  const diagonal = new Float64Array(size)
  for (let row = 0; row < size; row++) {
    const to = row * size
    inverse[to + row] = 1
    for (let k = 0; k < row; k++) addMultiple(inverse, to, k * size, k + 1, -lower[to + k]!)
    const scale = 1 / lower[to + row]!
    for (let col = 0; col <= row; col++) {
      inverse[to + col] = inverse[to + col]! * scale
      diagonal[col] = diagonal[col]! + inverse[to + col]! ** 2
    }
    await pause((row * row) / 2)
  }
  return diagonal
}

type Pause = (work: number) => Promise<void>

function pauser(signal: AbortSignal | undefined): Pause {
  let done = 0
  return async (work) => {
    done += work
    if (done < sliceWork) return
    done = 0
    await setImmediate()
    throwIfCancelled(signal)
  }
}

async function cholesky(matrix: Float64Array, size: number, pause: Pause): Promise<Float64Array> {
  const lower = new Float64Array(size * size)
  for (let row = 0; row < size; row++) {
    for (let col = 0; col < row; col++)
      lower[row * size + col] = (matrix[row * size + col]! - dot(lower, row * size, col * size, col)) / lower[col * size + col]!
    const rest = matrix[row * size + row]! - dot(lower, row * size, row * size, row)
    if (!(rest > 0))
      throw new AppError(
        'NOT_FINITE',
        `The second-order matrix is not positive definite at input ${row} (${rest}); use a larger ridge or more calibration samples.`,
      )
    lower[row * size + row] = Math.sqrt(rest)
    await pause((row * row) / 2)
  }
  return lower
}

function dot(values: Float64Array, a: number, b: number, length: number): number {
  let sum = 0
  for (let i = 0; i < length; i++) sum += values[a + i]! * values[b + i]!
  return sum
}

function addMultiple(values: Float64Array, to: number, from: number, length: number, factor: number): void {
  for (let i = 0; i < length; i++) values[to + i] = values[to + i]! + factor * values[from + i]!
}
