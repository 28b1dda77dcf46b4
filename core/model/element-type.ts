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

/** How one element of a tensor lies in a file, little-endian. */
interface Coding {
  bytes: number
  read: (view: DataView, at: number) => number
  /** Absent where weights of the type cannot be pruned and written back. */
  write?: (view: DataView, at: number, value: number) => void
}

const codings = {
  float64: {
    bytes: 8,
    read: (view, at) => view.getFloat64(at, true),
    write: (view, at, value) => {
      view.setFloat64(at, value, true)
    },
  },
  float32: {
    bytes: 4,
    read: (view, at) => view.getFloat32(at, true),
    write: (view, at, value) => {
      view.setFloat32(at, value, true)
    },
  },
  float16: {
    bytes: 2,
    read: (view, at) => decodeFloat16(view.getUint16(at, true)),
    write: (view, at, value) => {
      view.setUint16(at, encodeFloat16(value), true)
    },
  },
  bfloat16: {
    bytes: 2,
    read: (view, at) => decodeBfloat16(view.getUint16(at, true)),
    write: (view, at, value) => {
      view.setUint16(at, encodeBfloat16(value), true)
    },
  },
  'float8 e4m3': { bytes: 1, read: (view, at) => decodeFloat8E4M3(view.getUint8(at)) },
  'float8 e5m2': { bytes: 1, read: (view, at) => decodeFloat8E5M2(view.getUint8(at)) },
  'float8 e4m3fnuz': { bytes: 1, read: (view, at) => decodeFloat8E4M3Fnuz(view.getUint8(at)) },
  'float8 e5m2fnuz': { bytes: 1, read: (view, at) => decodeFloat8E5M2Fnuz(view.getUint8(at)) },
  'float8 e8m0': { bytes: 1, read: (view, at) => decodeFloat8E8M0(view.getUint8(at)) },
  bool: { bytes: 1, read: (view, at) => view.getUint8(at) },
  uint8: { bytes: 1, read: (view, at) => view.getUint8(at) },
  int8: { bytes: 1, read: (view, at) => view.getInt8(at) },
  uint16: { bytes: 2, read: (view, at) => view.getUint16(at, true) },
  int16: { bytes: 2, read: (view, at) => view.getInt16(at, true) },
  uint32: { bytes: 4, read: (view, at) => view.getUint32(at, true) },
  int32: { bytes: 4, read: (view, at) => view.getInt32(at, true) },
  uint64: { bytes: 8, read: (view, at) => Number(view.getBigUint64(at, true)) },
  int64: { bytes: 8, read: (view, at) => Number(view.getBigInt64(at, true)) },
} as const satisfies Record<string, Coding>

export type ElementType = keyof typeof codings

const codingOf = (type: ElementType): Coding => codings[type]
export const elementBytes = (type: ElementType): number => codingOf(type).bytes
export const isFloat = (type: ElementType): boolean => type.startsWith('float') || type === 'bfloat16'
/** Whether weights of this type can be pruned and written back in their own type. */
export const isPrunable = (type: ElementType): boolean => codingOf(type).write !== undefined

/** The numbers of packed elements. Every type but float64 and the 64-bit integers fits float32 exactly. */
export function decodeElements(bytes: Uint8Array, type: ElementType): Float32Array {
  const { bytes: size, read } = codingOf(type)
  const values = new Float32Array(bytes.length / size)
  if (type === 'float32') {
    new Uint8Array(values.buffer).set(bytes)
    return values
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let i = 0; i < values.length; i++) values[i] = read(view, i * size)
  return values
}

/** Packed elements of the numbers, rounded to nearest. The type must be prunable. */
export function encodeElements(values: Float32Array, type: ElementType): Uint8Array {
  if (type === 'float32') return new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
  const { bytes: size, write } = codingOf(type)
  if (!write) throw new TypeError(`${type} values cannot be written`)
  const bytes = new Uint8Array(values.length * size)
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < values.length; i++) write(view, i * size, values[i]!)
  return bytes
}
