import { describe, expect, test } from 'vitest'
import { geometricMean, meanInterval, medianDeviation, medianInterval, outliers, quantile, summarize } from './statistics.ts'

describe('order statistics', () => {
  test('quantiles interpolate between neighbours', () => {
    expect(quantile([4, 1, 3, 2], 0.5)).toBe(2.5)
    expect(quantile([1, 2, 3, 4], 0.25)).toBe(1.75)
    expect(quantile([7], 0.9)).toBe(7)
    expect(quantile([], 0.5)).toBeNull()
  })

  test('the interval of the median takes the ranks of the binomial table', () => {
    // n = 10: 1 − 2·P(B ≤ 1) = 1 − 2·11/1024 = 0.9785 for ranks 2 and 9; ranks 3 and 8 reach only 0.8906.
    const interval = medianInterval([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(interval).toMatchObject({ low: 2, high: 9 })
    expect(interval?.coverage).toBeCloseTo(1 - 22 / 1024, 10)
  })

  test('five samples cannot give 95 %, six can', () => {
    // The whole range covers 1 − 2·2⁻ⁿ: 0.9375 for five, 0.96875 for six.
    expect(medianInterval([1, 2, 3, 4, 5])).toBeNull()
    expect(medianInterval([1, 2, 3, 4, 5, 6])).toMatchObject({ low: 1, high: 6 })
  })

  test('the median deviation ignores one wild value', () => {
    expect(medianDeviation([1, 2, 3, 4, 1000])).toBe(1)
  })
})

describe('intervals of a mean', () => {
  test("Student's quantile is used", () => {
    // Mean 2, s = 1, n = 3, t(0.975, 2) = 4.3027: half width 4.3027/√3 = 2.4841.
    const interval = meanInterval([1, 2, 3])
    expect(interval?.low).toBeCloseTo(2 - 2.4841, 3)
    expect(interval?.high).toBeCloseTo(2 + 2.4841, 3)
    expect(meanInterval([1])).toBeNull()
  })
})

describe('outliers', () => {
  test('fences at 1.5 and 3 interquartile ranges', () => {
    // Quartiles of 1…9 and two more: computed on all eleven values they are 3.5 and 8.5, range 5: mild above 16, severe above 23.5.
    const found = outliers([1, 2, 3, 4, 5, 6, 7, 8, 9, 17, 24])
    expect(found.labels.slice(-2)).toEqual(['mild', 'severe'])
    expect(found).toMatchObject({ mild: 1, severe: 1, reason: null })
  })

  test('equal quartiles flag nothing and say why', () => {
    const found = outliers([5, 5, 5, 5, 5, 9])
    expect(found).toMatchObject({ mild: 0, severe: 0 })
    expect(found.reason).toContain('timer resolution')
  })
})

test('a summary keeps every sample in its count', () => {
  expect(summarize([2, 4, 4, 4, 5, 5, 7, 9])).toMatchObject({ count: 8, median: 4.5, minimum: 2, quartiles: [4, 5.5] })
  expect(summarize([])).toBeNull()
})

test('ratios have a geometric mean', () => {
  expect(geometricMean([0.5, 2])).toBeCloseTo(1, 12)
  expect(geometricMean([])).toBeNull()
})
