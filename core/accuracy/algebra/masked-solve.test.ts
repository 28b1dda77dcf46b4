import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MatrixProducts } from './matrix-product.ts'
import { solveMasked } from './masked-solve.ts'

let products: MatrixProducts
beforeAll(async () => {
  products = await MatrixProducts.open(1)
})
afterAll(async () => {
  await products.close()
})

/** A small multiplicative generator, so that the numbers are the same in every run. */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48271) % 2147483647
    return state / 2147483647 - 0.5
  }
}

/** Gauss elimination with pivoting in float64: the reference. */
function solveExactly(matrix: number[][], right: number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i]!])
  for (let col = 0; col < rows.length; col++) {
    const pivot = rows.reduce((best, row, i) => (i >= col && Math.abs(row[col]!) > Math.abs(rows[best]![col]!) ? i : best), col)
    ;[rows[col], rows[pivot]] = [rows[pivot]!, rows[col]!]
    for (let row = 0; row < rows.length; row++) {
      if (row === col) continue
      const factor = rows[row]![col]! / rows[col]![col]!
      for (let i = col; i <= rows.length; i++) rows[row]![i]! -= factor * rows[col]![i]!
    }
  }
  return rows.map((row, i) => row[rows.length]! / row[i]!)
}

describe('products of matrices', () => {
  it('multiply and transpose as asked', async () => {
    const a = { values: Float32Array.of(1, 2, 3, 4, 5, 6), rows: 2, cols: 3 }
    const b = { values: Float32Array.of(1, 0, 0, 1, 1, 1), rows: 3, cols: 2 }
    expect([...(await products.multiply(a, b))]).toEqual([4, 5, 10, 11])
    // Aᵀ·A of [[1 2 3] [4 5 6]]
    expect([...(await products.transposeMultiply(a, a))]).toEqual([17, 22, 27, 22, 29, 36, 27, 36, 45])
  })
})

describe('least squares under a mask', () => {
  it('agrees with elimination on the kept columns of each row', async () => {
    const [rows, cols, samples] = [5, 24, 60]
    const random = generator(7)
    const x = Array.from({ length: samples }, () => Array.from({ length: cols }, random))
    const gram = Float64Array.from({ length: cols * cols }, (_, i) => x.reduce((sum, row) => sum + row[Math.floor(i / cols)]! * row[i % cols]!, 0))
    const target = Float64Array.from({ length: rows * cols }, random)
    const mask = Uint8Array.from({ length: rows * cols }, () => (random() > 0 ? 1 : 0))
    const start = Float32Array.from(mask, (kept) => (kept ? random() : 0))
    const ridge = 0.05
    const { values, residual } = await solveMasked(products, { gram, target, start, mask, rows, cols, ridge }, { tolerance: 1e-6, mostSteps: 200 })
    expect(residual).toBeLessThan(1e-6)
    for (let row = 0; row < rows; row++) {
      const kept = Array.from({ length: cols }, (_, col) => col).filter((col) => mask[row * cols + col])
      const matrix = kept.map((i) => kept.map((j) => gram[i * cols + j]! + (i === j ? ridge : 0)))
      const exact = solveExactly(
        matrix,
        kept.map((i) => target[row * cols + i]!),
      )
      // condition number below 1e4 here, float32 products 6e-8: agreement to 1e-3 of values of size 1
      kept.forEach((col, i) => {
        expect(values[row * cols + col]).toBeCloseTo(exact[i]!, 3)
      })
    }
    expect(values.every((value, i) => mask[i] === 1 || value === 0)).toBe(true)
  })

  it('gives zeros for a row that keeps nothing and for inputs that are always zero', async () => {
    const system = {
      gram: new Float64Array(4),
      target: new Float64Array(4),
      start: new Float32Array(4),
      mask: Uint8Array.of(0, 0, 1, 1),
      rows: 2,
      cols: 2,
      ridge: 0,
    }
    const { values } = await solveMasked(products, system, { tolerance: 1e-6, mostSteps: 10 })
    expect([...values]).toEqual([0, 0, 0, 0])
  })

  it('stops when it is cancelled', async () => {
    const signal = AbortSignal.abort()
    const system = { gram: Float64Array.of(1), target: Float64Array.of(1), start: new Float32Array(1), mask: Uint8Array.of(1), rows: 1, cols: 1, ridge: 0.1 }
    await expect(solveMasked(products, system, { tolerance: 1e-6, mostSteps: 10, signal })).rejects.toMatchObject({ code: 'CANCELLED' })
  })
})
