import { describe, expect, it } from 'vitest'
import { variantNames } from './sparsity-chart.ts'

describe('the names of variants', () => {
  it('say only what differs', () => {
    expect(variantNames(['|w|, no correction, seed 1', '|w|, bias correction, seed 1'])).toEqual(['no correction', 'bias correction'])
    expect(variantNames(['|w|, no correction, seed 1', 'RIA, no correction, seed 2'])).toEqual(['|w|, seed 1', 'RIA, seed 2'])
  })
})
