import { describe, expect, it } from 'vitest'
import { rankCorrelation } from './rank-correlation.ts'

describe('rank correlation', () => {
  it('is 1 for the same order, −1 for the opposite one, whatever the sizes', () => {
    expect(rankCorrelation([1, 2, 3], [10, 11, 900])).toBeCloseTo(1, 12)
    expect(rankCorrelation([1, 2, 3], [3, 0, -5])).toBeCloseTo(-1, 12)
  })

  it('is 1 − 6Σd²/(n(n²−1)) without ties', () => {
    // ranks 1 2 3 4 against 2 1 4 3: Σd² = 4, so 1 − 24/60
    expect(rankCorrelation([1, 2, 3, 4], [2, 1, 4, 3])).toBeCloseTo(0.6, 12)
  })

  it('gives equal values their mean rank', () => {
    // ranks 1.5 1.5 3 against 1 2 3: Σxy of the centred ranks 1.5, over √(1.5·2)
    expect(rankCorrelation([5, 5, 9], [1, 2, 3])).toBeCloseTo(1.5 / Math.sqrt(3), 12)
  })

  it('is not defined for two pairs or for equal values', () => {
    expect(rankCorrelation([1, 2], [1, 2])).toBeNull()
    expect(rankCorrelation([1, 1, 1], [1, 2, 3])).toBeNull()
  })
})
