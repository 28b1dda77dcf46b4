import { describe, expect, it } from 'vitest'
import {
  decodeBfloat16,
  decodeFloat16,
  decodeFloat8E4M3,
  decodeFloat8E4M3Fnuz,
  decodeFloat8E5M2,
  decodeFloat8E5M2Fnuz,
  decodeFloat8E8M0,
  encodeBfloat16,
  encodeFloat16,
} from './number-formats.ts'

describe('16-bit floats', () => {
  it('decodes the marked values of half precision', () => {
    expect([0x3c00, 0x0001, 0x03ff, 0x0400, 0x7bff, 0xfc00].map(decodeFloat16)).toEqual([1, 2 ** -24, 1023 * 2 ** -24, 2 ** -14, 65504, -Infinity])
    expect(Object.is(decodeFloat16(0x8000), -0)).toBe(true)
    expect(decodeFloat16(0x7e00)).toBeNaN()
  })

  it('comes back to the same bits for all 65,536 codes but NaN', () => {
    const codes = Array.from({ length: 65536 }, (_, bits) => bits)
    const changed = (decode: (bits: number) => number, encode: (value: number) => number): number[] =>
      codes.filter((bits) => !Number.isNaN(decode(bits)) && encode(decode(bits)) !== bits)
    expect(changed(decodeFloat16, encodeFloat16)).toEqual([])
    expect(changed(decodeBfloat16, encodeBfloat16)).toEqual([])
    expect(decodeFloat16(encodeFloat16(NaN))).toBeNaN()
    expect(decodeBfloat16(encodeBfloat16(NaN))).toBeNaN()
  })

  it('rounds to nearest, ties to even', () => {
    // between 1 and the next half, 1 + 2^-10: the middle goes to the even code 0x3c00, just above it to 0x3c01
    expect(encodeFloat16(1 + 2 ** -11)).toBe(0x3c00)
    expect(encodeFloat16(1 + 3 * 2 ** -11)).toBe(0x3c02)
    expect(encodeFloat16(1 + 2 ** -11 + 2 ** -20)).toBe(0x3c01)
    expect(encodeFloat16(65520)).toBe(0x7c00)
    expect(encodeBfloat16(1 + 2 ** -8)).toBe(0x3f80)
    expect(encodeBfloat16(1 + 3 * 2 ** -8)).toBe(0x3f82)
  })
})

describe('8-bit floats', () => {
  it('decodes the marked values of each form', () => {
    expect([0x38, 0x7e, 0x01, 0xb8].map(decodeFloat8E4M3)).toEqual([1, 448, 2 ** -9, -1])
    expect([0x3c, 0x7b, 0x01, 0x7c].map(decodeFloat8E5M2)).toEqual([1, 57344, 2 ** -16, Infinity])
    expect([0x40, 0x7f].map(decodeFloat8E4M3Fnuz)).toEqual([1, 240])
    expect([0x40, 0x7f].map(decodeFloat8E5M2Fnuz)).toEqual([1, 57344])
    expect([0, 127, 254].map(decodeFloat8E8M0)).toEqual([2 ** -127, 1, 2 ** 127])
  })

  it('has no number where the form has none', () => {
    expect(decodeFloat8E4M3(0x7f)).toBeNaN()
    expect(decodeFloat8E4M3Fnuz(0x80)).toBeNaN()
    expect(decodeFloat8E5M2Fnuz(0x80)).toBeNaN()
    expect(decodeFloat8E8M0(255)).toBeNaN()
  })
})
