import { AppError } from '../../../contract/error.ts'
import { decodeFloat16 } from '../number-formats.ts'

/** What the header of an npy array says (numpy's format description, versions 1 to 3). */
export interface NpyHeader {
  /** Kind and size as numpy writes them without the byte order: f4, i8, u1, b1. */
  type: string
  bigEndian: boolean
  /** Stored column-major. */
  fortran: boolean
  shape: number[]
  /** First byte of the values. */
  dataStart: number
}

const magic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59]
const greatestHeader = 1_000_000

export const isNpy = (start: Uint8Array): boolean => magic.every((byte, i) => start[i] === byte)

const invalid = (name: string, what: string): AppError =>
  new AppError('MODEL_CORRUPT', `The numpy array ${name} is refused: ${what}. Save it again with numpy.save.`)

/** Bytes of one element of the types that are read. */
const sizes: Record<string, number> = { b1: 1, i1: 1, i2: 2, i4: 4, i8: 8, u1: 1, u2: 2, u4: 4, u8: 8, f2: 2, f4: 4, f8: 8 }

/**
 * Reads the header of an array from its first bytes.
 * @param name for messages
 * @param total bytes of the whole array file, against which the shape is checked before anything is allocated
 */
export function readNpyHeader(bytes: Uint8Array, name: string, total: number): NpyHeader {
  if (!isNpy(bytes)) throw invalid(name, 'it does not begin like a numpy array')
  const version = bytes[6] ?? 0
  if (version < 1 || version > 3) throw invalid(name, `its format version is ${version}, but 1 to 3 are read`)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const lengthBytes = version === 1 ? 2 : 4
  if (bytes.length < 8 + lengthBytes) throw invalid(name, 'it ends in its header')
  const length = version === 1 ? view.getUint16(8, true) : view.getUint32(8, true)
  const start = 8 + lengthBytes
  if (length > greatestHeader || start + length > bytes.length) throw invalid(name, `its header claims ${length} bytes`)
  const text = new TextDecoder(version === 3 ? 'utf-8' : 'latin1').decode(bytes.subarray(start, start + length))
  const header = checked(parseHeader(text, name), name, start + length)
  const needed = header.shape.reduce((product, size) => product * size, sizes[header.type] ?? 0)
  if (needed !== total - header.dataStart)
    throw invalid(name, `its shape (${header.shape.join(', ')}) needs ${needed} bytes of values, but ${total - header.dataStart} are there`)
  return header
}

function checked({ descr, fortran_order: fortran, shape }: Record<string, unknown>, name: string, dataStart: number): NpyHeader {
  if (Array.isArray(descr)) throw invalid(name, 'it is a table with named fields; save each field as an array of its own')
  if (typeof descr !== 'string' || typeof fortran !== 'boolean' || !Array.isArray(shape)) throw invalid(name, 'its header lacks descr, fortran_order or shape')
  const match = /^([<>=|])?([a-zA-Z]\d*)$/.exec(descr)
  const type = match?.[2] ?? ''
  if (type.startsWith('O')) throw invalid(name, 'it holds Python objects, which are never loaded because loading them can run code')
  if (!(type in sizes)) throw invalid(name, `its element type "${descr}" is not one of ${Object.keys(sizes).join(', ')}`)
  if (shape.some((size) => typeof size !== 'number')) throw invalid(name, 'its shape is not a list of numbers')
  return { type, bigEndian: match?.[1] === '>', fortran, shape: shape as number[], dataStart }
}

/** A Python literal of one dictionary: texts, True, False, whole numbers, tuples and lists. Nothing is evaluated. */
function parseHeader(text: string, name: string): Record<string, unknown> {
  const tokens = text.match(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|True|False|\d+L?|[{}()[\],:]|\S/g) ?? []
  let at = 0
  const fail = (): AppError => invalid(name, `its header "${text.trim().slice(0, 80)}" cannot be read`)
  const expect = (token: string): void => {
    if (tokens[at++] !== token) throw fail()
  }
  const list = (end: string): unknown[] => {
    const items: unknown[] = []
    while (tokens[at] !== end) {
      items.push(value())
      if (tokens[at] !== ',') break
      at++
    }
    expect(end)
    return items
  }
  const value = (depth = 0): unknown => {
    const token = tokens[at++]
    if (token === undefined || depth > 8) throw fail()
    if (token === 'True' || token === 'False') return token === 'True'
    if (/^\d/.test(token)) return Number.parseInt(token, 10)
    if (token.startsWith("'") || token.startsWith('"')) return token.slice(1, -1)
    if (token === '(') return list(')')
    if (token === '[') return list(']')
    throw fail()
  }
  const result: Record<string, unknown> = {}
  expect('{')
  while (tokens[at] !== '}') {
    const key = value()
    expect(':')
    if (typeof key !== 'string' || key in result) throw fail()
    result[key] = value()
    if (tokens[at] !== ',') break
    at++
  }
  expect('}')
  return result
}

export interface NpyArray {
  shape: number[]
  type: string
  /** Row-major values as numbers; 64-bit integers above 2^53 are refused. */
  values: Float64Array
}

/** The whole array as numbers in row-major order. @throws AppError MODEL_CORRUPT */
export function readNpy(bytes: Uint8Array, name: string): NpyArray {
  const header = readNpyHeader(bytes, name, bytes.length)
  return { shape: header.shape, type: header.type, values: npyValues(bytes.subarray(header.dataStart), header, name) }
}

/** The values behind a header. */
export function npyValues(data: Uint8Array, header: NpyHeader, name: string): Float64Array {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const size = sizes[header.type] ?? 1
  const read = elementReader(view, header, name)
  const count = data.length / size
  const stored = Float64Array.from({ length: count }, (_, i) => read(i * size))
  return header.fortran && header.shape.length > 1 ? rowMajor(stored, header.shape) : stored
}

function elementReader(view: DataView, { type, bigEndian }: NpyHeader, name: string): (at: number) => number {
  const little = !bigEndian
  const whole = (value: bigint): number => {
    const number = Number(value)
    if (!Number.isSafeInteger(number)) throw invalid(name, `its value ${value} is beyond the whole numbers that can be kept exactly`)
    return number
  }
  const readers: Record<string, (at: number) => number> = {
    b1: (at) => view.getUint8(at),
    u1: (at) => view.getUint8(at),
    i1: (at) => view.getInt8(at),
    u2: (at) => view.getUint16(at, little),
    i2: (at) => view.getInt16(at, little),
    u4: (at) => view.getUint32(at, little),
    i4: (at) => view.getInt32(at, little),
    u8: (at) => whole(view.getBigUint64(at, little)),
    i8: (at) => whole(view.getBigInt64(at, little)),
    f2: (at) => decodeFloat16(view.getUint16(at, little)),
    f4: (at) => view.getFloat32(at, little),
    f8: (at) => view.getFloat64(at, little),
  }
  return readers[type] ?? (() => NaN)
}

/** Column-major to row-major. */
function rowMajor(stored: Float64Array, shape: readonly number[]): Float64Array {
  const strides = shape.map((_, axis) => shape.slice(0, axis).reduce((product, size) => product * size, 1))
  const result = new Float64Array(stored.length)
  const place = shape.map(() => 0)
  let from = 0
  for (let to = 0; to < stored.length; to++) {
    result[to] = stored[from] ?? 0
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      const stride = strides[axis] ?? 0
      const next = (place[axis] ?? 0) + 1
      from += stride
      if (next < (shape[axis] ?? 0)) {
        place[axis] = next
        break
      }
      place[axis] = 0
      from -= stride * next
    }
  }
  return result
}
