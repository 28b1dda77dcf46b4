import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { searchOrder } from './permutation.ts'
import { buildMask, measureQuality, saliency, type PatternParameters } from './sparsity.ts'

// Expected values made outside this project. The folder is ../shared beside the clone, or HINM_SHARED.
const folder = join(process.env.HINM_SHARED ?? join(import.meta.dirname, '..', '..', 'shared'), 'vectors')
const present = existsSync(folder)
if (!present) console.warn(`skipped: the test vectors are absent (${folder})`)

const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'))
const group = (n: number, m: number): PatternParameters => ({ kind: 'n:m', vector: 0, vectorSparsity: 0, n, m, block: 0, sparsity: 0 })

/** The mask of one row of weights as 0 and 1. */
async function rowMask(weights: readonly (number | string)[], n = 2, m = 4): Promise<number[]> {
  const data = saliency('magnitude', Float32Array.from(weights, Number))
  const { bits } = await buildMask({ data, rows: 1, cols: weights.length }, group(n, m), null)
  return weights.map((_, i) => (bits[i >> 3]! >> (i & 7)) & 1)
}

describe.skipIf(!present)('masks equal the vectors', () => {
  it('2:4 on given rows and on every group of a small alphabet', async () => {
    const file = read('hard_mask_24.json') as {
      cases: { input: number[]; mask: number[] }[]
      exhaustive_small_alphabet: { alphabet: number[]; masks: string[] }
    }
    for (const { input, mask } of file.cases) expect(await rowMask(input)).toEqual(mask)
    const { alphabet, masks } = file.exhaustive_small_alphabet
    const size = alphabet.length
    expect(masks).toHaveLength(size ** 4)
    for (const [index, expected] of masks.entries()) {
      const weights = [size ** 3, size ** 2, size, 1].map((place) => alphabet[Math.floor(index / place) % size]!)
      expect((await rowMask(weights)).join('')).toBe(expected)
    }
  })

  it('signed zeros, subnormals, extremes and full ties', async () => {
    const { cases } = read('edge_cases.json') as { cases: { input: (number | string)[]; hard_mask: number[] }[] }
    for (const { input, hard_mask } of cases) expect(await rowMask(input)).toEqual(hard_mask)
  })

  it('the rows of the compressed format keep exactly their stored values', async () => {
    const { fp16_case, int8_case } = read('compress_24.json') as {
      fp16_case: { row: number[]; values: number[] }
      int8_case: { row: number[]; values: number[] }
    }
    for (const { row, values } of [fp16_case, int8_case]) {
      const mask = await rowMask(row)
      expect(row.filter((_, i) => mask[i] === 1)).toEqual(values)
    }
  })
})

describe.skipIf(!present)('channel permutation equals the vectors', () => {
  it('the known best grouping is found and its efficacy is 100 %', async () => {
    const file = read('channel_permutation.json') as {
      W: number[][]
      kept_identity: number
      kept_best: number
      total_magnitude: number
      efficacy_percent: number
    }
    const scores = { data: Float32Array.from(file.W.flat()), rows: file.W.length, cols: file.W[0]!.length }
    for (const strategy of ['gyro', 'apex-swap', 'apex-stripes', 'gyro-plus']) {
      const order = await searchOrder({ scores, pattern: group(2, 4), strategy, budget: 0, seed: 1, layer: 0, threads: 1 })
      expect(order.trace.kept[0]).toBe(file.kept_identity)
      const mask = await buildMask(scores, group(2, 4), order)
      const quality = await measureQuality(scores, group(2, 4), order, mask)
      expect(quality).toMatchObject({ keptSaliency: file.kept_best, totalSaliency: file.total_magnitude, efficacy: file.efficacy_percent / 100 })
    }
  })
})
