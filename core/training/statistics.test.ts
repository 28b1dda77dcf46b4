import { describe, expect, it } from 'vitest'
import { correlation, deviation, halfInterval, mean, relativeError } from './statistics.ts'

describe('statistics of a training sweep', () => {
  it('gives mean, deviation and t-interval of a small sample', () => {
    // 1, 2, 3, 4, 5: mean 3, s = √(10/4) = 1.5811; t(0.975, 4) = 2.7764, so the half width is 2.7764·1.5811/√5 = 1.9632.
    expect(mean([1, 2, 3, 4, 5])).toBe(3)
    expect(deviation([1, 2, 3, 4, 5])).toBeCloseTo(1.5811388, 6)
    expect(halfInterval([1, 2, 3, 4, 5])).toBeCloseTo(1.963243, 4)
  })

  it('has no interval for fewer than two values and no mean for none', () => {
    expect(mean([])).toBeNull()
    expect(deviation([4])).toBeNull()
    expect(halfInterval([4])).toBeNull()
  })

  it('knows a perfect, an opposite and an undefined correlation', () => {
    expect(correlation([1, 2, 3], [2, 4, 6])).toBeCloseTo(1, 12)
    expect(correlation([1, 2, 3], [3, 2, 1])).toBeCloseTo(-1, 12)
    expect(correlation([1, 1, 1], [3, 2, 1])).toBeNull()
  })

  it('relates the error of a prediction to the size of what happened', () => {
    // |1.5 − 1| + |−1 − −2| = 1.5 over |1| + |−2| = 3.
    expect(relativeError([1.5, -1], [1, -2])).toBeCloseTo(0.5, 12)
    expect(relativeError([1], [0])).toBeNull()
  })
})
