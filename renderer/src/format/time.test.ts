import { describe, expect, it } from 'vitest'
import { duration } from './time.ts'

describe('a duration', () => {
  it('is as coarse as it is long', () => {
    expect(duration(0.84)).toBe('0.8 s')
    expect(duration(42.4)).toBe('42 s')
    expect(duration(185)).toBe('3 min 05 s')
    expect(duration(7620)).toBe('2 h 07 min')
  })

  it('never says 60 seconds', () => {
    // 59.7 s rounds to a full minute.
    expect(duration(59.7)).toBe('1 min 00 s')
    expect(duration(9.97)).toBe('10 s')
  })
})
