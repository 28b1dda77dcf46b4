import { describe, expect, test } from 'vitest'
import { callsPerSample, defaultPlan, isSettled, stopCause } from './sampling.ts'
import type { Comparison } from './verdict.ts'

const known = (low: number, high: number): Comparison => ({ speedup: 2, interval: { low, high, coverage: 0.95 }, verdict: 'faster', threshold: 0.01 })

describe('settling', () => {
  test('three block medians within the share, and only the last three count', () => {
    expect(isSettled([9, 1, 1.02, 1.01], 0.03)).toBe(true)
    expect(isSettled([1, 1.02, 1.05], 0.03)).toBe(false)
    expect(isSettled([1, 1], 0.03)).toBe(false)
  })
})

describe('samples', () => {
  test('short calls are repeated inside a sample, long ones are not', () => {
    expect(callsPerSample(0.5, defaultPlan)).toBe(4)
    expect(callsPerSample(50, defaultPlan)).toBe(1)
    expect(callsPerSample(0, defaultPlan)).toBe(10_000)
  })
})

describe('stopping', () => {
  test('when every speed-up is known well enough, but not before the fewest blocks', () => {
    expect(stopCause(3, 1, [known(1.99, 2.01)], defaultPlan)).toBeNull()
    expect(stopCause(8, 1, [known(1.99, 2.01)], defaultPlan)).toContain('±2 % after 8 blocks')
    expect(stopCause(8, 1, [known(1.99, 2.01), known(1.5, 2.5)], defaultPlan)).toBeNull()
    expect(stopCause(8, 1, [null], defaultPlan)).toBeNull()
  })

  test('at the limits, with the cause', () => {
    expect(stopCause(4, 20, [known(1, 3)], defaultPlan)).toContain('20 s')
    expect(stopCause(60, 1, [], defaultPlan)).toContain('60 blocks')
  })
})
