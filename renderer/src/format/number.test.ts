import { describe, expect, it } from 'vitest'
import { bytes, counted, fixed, plain } from './number.ts'

describe('numbers on screen', () => {
  it('keep a fixed count of digits, so that a column lines up', () => {
    expect(fixed(50, 2)).toBe('50.00')
    expect(fixed(1234.5678, 1)).toBe('1,234.6')
  })

  it('never round a small value to 0', () => {
    // 0.0004 is below half of the last digit of three; 0.0005 rounds up to 0.001.
    expect(fixed(0.0004, 3)).toBe('4E-4')
    expect(fixed(0.0005, 3)).toBe('0.001')
    expect(fixed(0.000_000_132, 9)).toBe('1.32E-7')
    expect(fixed(0, 3)).toBe('0.000')
  })

  it('show a setting with the digits it was typed with', () => {
    expect(plain(87.5)).toBe('87.5')
    expect(plain(75)).toBe('75')
  })

  it('count bytes in decimal units', () => {
    expect(bytes(0)).toBe('0 B')
    expect(bytes(999)).toBe('999 B')
    expect(bytes(1_250_000)).toBe('1.3 MB')
  })

  it('say one case and two cases', () => {
    expect(counted(1, 'case')).toBe('1 case')
    expect(counted(2, 'case')).toBe('2 cases')
    expect(counted(2, 'more case', 'more cases')).toBe('2 more cases')
  })
})
