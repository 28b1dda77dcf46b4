import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compare, noiseFloor, verdictOf } from './verdict.ts'

const blocks = (...medians: number[]): number[][] => medians.map((middle) => [middle * 0.99, middle, middle * 1.01])

describe('comparing blocks taken in turn', () => {
  test('three times as fast, with an interval around it', () => {
    const result = compare(blocks(3, 3.03, 2.97, 3, 3.01), blocks(1, 1.01, 0.99, 1, 1))
    expect(result?.speedup).toBeCloseTo(3, 2)
    expect(result?.interval?.low).toBeGreaterThan(2.97)
    expect(result?.interval?.high).toBeLessThan(3.03)
    expect(result?.verdict).toBe('faster')
  })

  test('a drift that both sides share does not widen the interval', () => {
    const drifting = [1, 1.2, 1.5, 2, 2.6]
    const result = compare(blocks(...drifting.map((x) => 2 * x)), blocks(...drifting))
    expect(result?.interval?.low).toBeCloseTo(2, 6)
    expect(result?.interval?.high).toBeCloseTo(2, 6)
  })

  test('a difference inside the noise floor does not count', () => {
    const slower = compare(blocks(1, 1, 1, 1, 1), blocks(1.03, 1.031, 1.029, 1.03, 1.03))
    expect(slower?.verdict).toBe('slower')
    expect(compare(blocks(1, 1, 1, 1, 1), blocks(1.03, 1.031, 1.029, 1.03, 1.03), 0.05)?.verdict).toBe('same')
  })

  test('scattered ratios are unclear, and so is a single block', () => {
    expect(compare(blocks(1, 2, 1, 2, 1), blocks(1, 1, 2, 1, 2))?.verdict).toBe('unclear')
    const single = compare(blocks(3), blocks(1))
    expect(single).toMatchObject({ interval: null, verdict: 'unclear' })
    expect(single?.speedup).toBeCloseTo(3, 12)
  })

  test('no samples, no comparison', () => {
    expect(compare([], [])).toBeNull()
    expect(compare(blocks(1), [])).toBeNull()
  })

  test('exchanging the sides inverts the ratio and mirrors the verdict', () => {
    const times = fc.array(fc.double({ min: 0.5, max: 2, noNaN: true }), { minLength: 5, maxLength: 5 })
    fc.assert(
      fc.property(times, times, (a, b) => {
        const there = compare(blocks(...a), blocks(...b))
        const back = compare(blocks(...b), blocks(...a))
        if (!there || !back) throw new Error('both sides have samples')
        expect(there.speedup * back.speedup).toBeCloseTo(1, 9)
        expect((there.interval?.low ?? 0) * (back.interval?.high ?? 0)).toBeCloseTo(1, 6)
        // The thresholds 1 + t and 1 − t are no mirror images, so a ratio at their edge may be unclear on one side.
        if (there.verdict === 'faster') expect(['slower', 'unclear']).toContain(back.verdict)
      }),
    )
  })
})

test('NaN never gives a verdict', () => {
  expect(verdictOf({ low: NaN, high: 2, coverage: 0.95 }, 0.01)).toBe('unclear')
})

test('the noise floor is how far the ratio of equals strays', () => {
  expect(noiseFloor(blocks(1, 1, 1), blocks(1, 1, 1))).toBeCloseTo(0, 9)
  expect(noiseFloor(blocks(1, 1.1, 0.9, 1), blocks(1, 0.95, 1.05, 1))).toBeGreaterThan(0.05)
  expect(noiseFloor(blocks(1), blocks(1))).toBeNull()
})
