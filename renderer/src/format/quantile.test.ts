import { describe, expect, it } from 'vitest'
import { spreadOf } from './quantile.ts'

describe('the spread of samples', () => {
  it('has quartiles between neighbours', () => {
    // Places 0.75, 1.5 and 2.25 of 1, 2, 3, 4.
    expect(spreadOf([4, 1, 3, 2])).toMatchObject({ count: 4, least: 1, lower: 1.75, median: 2.5, upper: 3.25, most: 4 })
  })

  it('counts mild and far outliers apart', () => {
    // Quartiles of 0…8 with 17 and 40: places 2.5 and 7.5 give 2.5 and 7.5, range 5; fences 15 and 22.5.
    expect(spreadOf([0, 1, 2, 3, 4, 5, 6, 7, 8, 17, 40])?.outliers).toEqual({ mild: 1, far: 1 })
  })

  it('calls nothing an outlier where the timer is too coarse', () => {
    expect(spreadOf([1, 1, 1, 1, 9])?.outliers).toBeNull()
  })

  it('does not exist without samples', () => {
    expect(spreadOf([])).toBeNull()
  })
})
