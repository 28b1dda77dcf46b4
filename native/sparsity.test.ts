import { describe, expect, it } from 'vitest'
import { applyMask, buildMask, measureQuality, recogniseMask, saliency, type PatternParameters } from './sparsity.ts'

const twoOfFour: PatternParameters = { kind: 'n:m', vector: 0, vectorSparsity: 0, n: 2, m: 4, block: 0, sparsity: 0 }

describe('the sparsity face of the native module', () => {
  it('scores weights and refuses NaN with its position and a code', () => {
    expect(saliency('squared', Float32Array.of(-2, 0.5))).toEqual(Float32Array.of(4, 0.25))
    expect(() => saliency('magnitude', Float32Array.of(1, NaN))).toThrow(expect.objectContaining({ code: 'NOT_FINITE' }))
    expect(() => saliency('magnitude', Float32Array.of(1, NaN))).toThrow(/position 1 is NaN/)
  })

  it('builds an explicit mask: the higher index survives a tie and a zero may be kept', async () => {
    const mask = await buildMask({ data: Float32Array.of(1, 1, 1, 2, 0, 0, 0, 0), rows: 2, cols: 4 }, twoOfFour, null)
    // Kept: columns 2 and 3 of both rows, so bits 2, 3, 6 and 7.
    expect(mask).toEqual({ rows: 2, cols: 4, bits: Uint8Array.of(0b11001100), kept: 4 })
    expect(applyMask(Float32Array.of(-1, 1, -1, 2, 3, 3, 3, 3), mask)).toEqual(Float32Array.of(0, 0, -1, 2, 0, 0, 3, 3))
  })

  it('recognises the pattern of a mask', async () => {
    const mask = await buildMask({ data: Float32Array.from({ length: 64 }, (_, i) => (i * 7) % 13), rows: 4, cols: 16 }, twoOfFour, null)
    expect(recogniseMask(mask)).toEqual(twoOfFour)
  })

  it('measures a mask', async () => {
    const scores = { data: Float32Array.of(4, 3, 2, 1), rows: 1, cols: 4 }
    const mask = await buildMask(scores, twoOfFour, null)
    expect(await measureQuality(scores, twoOfFour, null, mask)).toEqual({
      kept: 2,
      keptSaliency: 7,
      totalSaliency: 10,
      retained: 0.7,
      relative: 1,
      vector: null,
      efficacy: null,
      tiles: new Float64Array(),
    })
  })

  it('rejects a shape that does not fit its pattern with a code and a sentence', async () => {
    const scores = { data: new Float32Array(6), rows: 1, cols: 6 }
    await expect(buildMask(scores, twoOfFour, null)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', message: /not a multiple of 4/ })
    await expect(buildMask({ data: new Float32Array(5), rows: 1, cols: 6 }, twoOfFour, null)).rejects.toThrow(/announced/)
  })
})
