/**
 * Half, bfloat and 8-bit float numbers as bits. Decoding is exact; encoding rounds to nearest, ties to even, and
 * overflows to infinity where the format has one, else to NaN (OCP FP8 specification for E4M3 and E5M2).
 */

const word = new DataView(new ArrayBuffer(4))

function floatOfBits(bits: number): number {
  word.setUint32(0, bits)
  return word.getFloat32(0)
}

function bitsOfFloat(value: number): number {
  word.setFloat32(0, value)
  return word.getUint32(0)
}

export const decodeBfloat16 = (bits: number): number => floatOfBits((bits << 16) >>> 0)

export function encodeBfloat16(value: number): number {
  const bits = bitsOfFloat(value)
  if (Number.isNaN(value)) return (bits >>> 16) | 0x40
  const odd = (bits >>> 16) & 1
  return ((bits + 0x7fff + odd) / 0x10000) & 0xffff
}

export function decodeFloat16(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 0x1f
  const fraction = bits & 0x3ff
  if (exponent === 0) return sign * fraction * 2 ** -24
  if (exponent === 31) return fraction ? NaN : sign * Infinity
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
}

export function encodeFloat16(value: number): number {
  if (Number.isNaN(value)) return 0x7e00
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0
  const size = Math.abs(value)
  if (size >= 65520) return sign | 0x7c00
  if (size < 2 ** -14) return sign | roundHalfEven(size * 2 ** 24)
  const exponent = Math.min(15, Math.floor(Math.log2(size)))
  const steps = roundHalfEven((size / 2 ** exponent) * 1024)
  return sign | ((exponent + 15) * 1024 + steps - 1024)
}

function roundHalfEven(value: number): number {
  const floor = Math.floor(value)
  const rest = value - floor
  if (rest > 0.5 || (rest === 0.5 && floor % 2 === 1)) return floor + 1
  return floor
}

/** An 8-bit float: sign, `exponentBits`, the rest fraction. `special` says which codes are not numbers. */
function decodeFloat8(bits: number, exponentBits: number, bias: number, special: 'ieee' | 'top' | 'minus-zero'): number {
  const fractionBits = 7 - exponentBits
  const exponent = (bits >> fractionBits) & ((1 << exponentBits) - 1)
  const fraction = bits & ((1 << fractionBits) - 1)
  const sign = bits & 0x80 ? -1 : 1
  if (special === 'minus-zero' && bits === 0x80) return NaN
  if (special === 'top' && (bits & 0x7f) === 0x7f) return NaN
  if (special === 'ieee' && exponent === (1 << exponentBits) - 1) return fraction ? NaN : sign * Infinity
  if (exponent === 0) return sign * fraction * 2 ** (1 - bias - fractionBits)
  return sign * (1 + fraction / (1 << fractionBits)) * 2 ** (exponent - bias)
}

export const decodeFloat8E4M3 = (bits: number): number => decodeFloat8(bits, 4, 7, 'top')
export const decodeFloat8E5M2 = (bits: number): number => decodeFloat8(bits, 5, 15, 'ieee')
export const decodeFloat8E4M3Fnuz = (bits: number): number => decodeFloat8(bits, 4, 8, 'minus-zero')
export const decodeFloat8E5M2Fnuz = (bits: number): number => decodeFloat8(bits, 5, 16, 'minus-zero')
/** A scale: 2 to the power of bits − 127; 255 is NaN. */
export const decodeFloat8E8M0 = (bits: number): number => (bits === 255 ? NaN : 2 ** (bits - 127))
