import { describe, expect, it } from 'vitest'
import { differenceOf } from './difference.ts'

describe('a difference to the baseline', () => {
  it('is in percentage points for shares', () => {
    // 0.90 − 0.88 = 2 points; higher retained saliency is better.
    expect(differenceOf('saliency.retained', 0.9, 0.88)).toEqual({ text: '+2.00 pp', verdict: 'better' })
    expect(differenceOf('accuracy.top1', 88, 90)).toEqual({ text: '−2.00 pp', verdict: 'worse' })
  })

  it('is in per cent of the baseline for times, where less is better', () => {
    // 1.5 against 2.0 is a quarter less.
    expect(differenceOf('kernel.time', 1.5, 2)).toEqual({ text: '−25.0 %', verdict: 'better' })
  })

  it('is a factor beyond ten times the baseline', () => {
    expect(differenceOf('search.time', 2.25, 0.01)?.text).toBe('×225')
  })

  it('calls a change below its last digit equal', () => {
    // 0.04 % of the baseline rounds to 0.0 %.
    expect(differenceOf('kernel.time', 2.0008, 2)).toEqual({ text: '±0.0 %', verdict: 'equal' })
  })

  it('knows no better for a description', () => {
    expect(differenceOf('search.evaluations', 20, 10)?.verdict).toBe('neither')
  })

  it('does not exist where one side was not measured, or the baseline is 0', () => {
    expect(differenceOf('kernel.time', null, 2)).toBeNull()
    expect(differenceOf('kernel.time', 2, null)).toBeNull()
    expect(differenceOf('kernel.time', 2, 0)).toBeNull()
  })
})
