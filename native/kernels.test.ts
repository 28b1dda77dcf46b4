import { describe, expect, test } from 'vitest'
import { checkProduct, multiply, pack, timeProduct, type PackRequest } from './kernels.ts'
import type { Order } from './permutation.ts'
import type { PatternParameters } from './sparsity.ts'

const none: PatternParameters = { kind: 'dense', vector: 0, vectorSparsity: 0, n: 0, m: 0, block: 0, sparsity: 0 }

/** rows × cols weights 1, 2, 3 …; rows reversed; tile t keeps `kept` columns from t on; the first n of every m survive. */
function request(rows: number, cols: number, vector: number, kept: number, n: number, m: number, kind: PatternParameters['kind']): PackRequest {
  const tiles = Math.ceil(rows / vector)
  const outputOrder = Uint32Array.from({ length: rows }, (_, p) => rows - 1 - p)
  const columns = Uint32Array.from({ length: tiles * kept }, (_, i) => (Math.floor(i / kept) + (i % kept)) % cols)
  const bits = new Uint8Array(Math.ceil((rows * cols) / 8))
  let count = 0
  for (let p = 0; p < rows; p++) {
    for (let j = 0; j < kept; j++) {
      if (j % m >= n) continue
      const bit = (outputOrder[p] ?? 0) * cols + (columns[Math.floor(p / vector) * kept + j] ?? 0)
      bits[bit >> 3] = (bits[bit >> 3] ?? 0) | (1 << (bit & 7))
      count++
    }
  }
  const order: Order = {
    rows,
    cols,
    strategy: 'none',
    reason: null,
    outputOrder,
    vector,
    keptColumns: kept,
    denseColumns: 0,
    columns,
    evaluations: 0,
    seconds: 0,
    trace: { evaluations: new Float64Array(0), kept: new Float64Array(0), seconds: new Float64Array(0) },
  }
  return {
    weights: Float32Array.from({ length: rows * cols }, (_, i) => 1 + (i % 7)),
    rows,
    cols,
    pattern: { ...none, kind, vector, n, m },
    order,
    mask: { rows, cols, bits, kept: count },
  }
}

/** (W∘mask)·X in float64, element by element. */
function product({ weights, rows, cols, mask }: PackRequest, activations: Float32Array, columns: number): number[] {
  return Array.from({ length: rows * columns }, (_, i) => {
    const row = Math.floor(i / columns)
    let sum = 0
    for (let k = 0; k < cols; k++) {
      const bit = row * cols + k
      if ((mask.bits[bit >> 3] ?? 0) & (1 << (bit & 7))) sum += (weights[bit] ?? 0) * (activations[k * columns + (i % columns)] ?? 0)
    }
    return sum
  })
}

describe('packed products', () => {
  const cases: [string, PackRequest][] = [
    ['hinm', request(20, 32, 8, 16, 2, 4, 'hinm')],
    ['2:4, one tile of all rows', request(300, 32, 300, 32, 2, 4, 'n:m')],
    ['1:4', request(9, 32, 9, 32, 1, 4, 'n:m')],
    ['vector', request(20, 30, 8, 11, 1, 1, 'vector')],
    ['venom', request(20, 32, 8, 8, 2, 4, 'venom')],
    ['unstructured, left dense', request(20, 32, 8, 32, 2, 4, 'unstructured')],
  ]
  test.each(cases)('%s equals dense (W∘mask)·X in the original order', async (_, made) => {
    const packed = await pack(made)
    for (const columns of [1, 5, 33]) {
      // Small integers: every sum is exact in float32, so equality is asked for.
      const activations = Float32Array.from({ length: made.cols * columns }, (_unused, i) => (i % 5) - 2)
      expect(Array.from(await multiply(packed, activations, columns, 2))).toEqual(product(made, activations, columns).map((value) => value + 0))
    }
    expect(await checkProduct(packed, made.weights, made.mask, 17, 1)).toMatchObject({ passed: true, tolerance: 1e-6 })
  })

  test('the sizes follow from the format', async () => {
    const packed = await pack(request(64, 256, 32, 128, 2, 4, 'hinm'))
    // 64·64 values of 4 bytes and 2 bits; plus 2·128 column ids, 64 row ids and a header of 64 bytes.
    expect(packed.theoryBytes).toBe(64 * 64 * 4 + (64 * 64) / 4)
    expect(packed.bytes).toBe(packed.theoryBytes + 2 * 128 * 4 + 64 * 4 + 64)
    expect(packed.denseBytes).toBe(64 * 256 * 4)
  })

  test('a mask that breaks its pattern is refused', async () => {
    const made = request(8, 16, 4, 16, 2, 4, 'hinm')
    made.mask.bits.fill(255)
    await expect(pack(made)).rejects.toMatchObject({ code: 'VERIFICATION_FAILED' })
  })

  test('wrong sizes and objects of another kind are refused with a sentence', async () => {
    const made = request(8, 16, 4, 16, 2, 4, 'hinm')
    const packed = await pack(made)
    await expect(multiply(packed, new Float32Array(17), 1, 1)).rejects.toThrow('16 × 1')
    await expect(multiply({ ...packed }, new Float32Array(16), 1, 1)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
    await expect(multiply(packed, new Float32Array(16), 1, 0)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
    await expect(pack({ ...made, rows: 9 })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
  })
})

describe('timing', () => {
  test('every contestant has as many samples, and every baseline is present or absent with a reason', async () => {
    const made = request(64, 64, 32, 32, 2, 4, 'hinm')
    const packed = await pack(made)
    const timing = await timeProduct({ packed, weights: made.weights, columns: 16, threads: 1, seed: 1, limitSeconds: 0.2 })
    expect(timing.sparse.length).toBeGreaterThan(0)
    expect(timing.stopped).not.toBe('')
    expect(timing.dense.at(-1)?.name).toContain('own dense kernel')
    for (const { samples } of timing.dense) {
      expect(samples).toHaveLength(timing.sparse.length)
      for (const sample of samples) expect(sample).toBeGreaterThan(0)
    }
    for (const { reason } of timing.absent) expect(reason).not.toBe('')
    expect(timing.dense.length + timing.absent.length).toBe(3)
  })

  test('a cancel rejects with CANCELLED', async () => {
    const made = request(64, 64, 32, 32, 2, 4, 'hinm')
    const packed = await pack(made)
    const signal = AbortSignal.timeout(50)
    await expect(timeProduct({ packed, weights: made.weights, columns: 16, threads: 1, seed: 1, limitSeconds: 30 }, { signal })).rejects.toMatchObject({
      code: 'CANCELLED',
    })
  })
})
