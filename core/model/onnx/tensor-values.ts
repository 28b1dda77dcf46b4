import { PbfReader } from 'pbf'
import { AppError } from '../../../contract/error.ts'
import { decodeBfloat16, decodeFloat16, encodeBfloat16, encodeFloat16 } from '../number-formats.ts'
import type { OnnxTensor } from './proto.ts'
import { varint } from './splice.ts'

/** The element types of onnx.proto by their number; `bytes` is the size of one value in raw_data. */
const types: Record<number, { name: string; bytes: number; float: boolean }> = {
  1: { name: 'float32', bytes: 4, float: true },
  2: { name: 'uint8', bytes: 1, float: false },
  3: { name: 'int8', bytes: 1, float: false },
  4: { name: 'uint16', bytes: 2, float: false },
  5: { name: 'int16', bytes: 2, float: false },
  6: { name: 'int32', bytes: 4, float: false },
  7: { name: 'int64', bytes: 8, float: false },
  9: { name: 'bool', bytes: 1, float: false },
  10: { name: 'float16', bytes: 2, float: true },
  11: { name: 'float64', bytes: 8, float: true },
  12: { name: 'uint32', bytes: 4, float: false },
  13: { name: 'uint64', bytes: 8, float: false },
  16: { name: 'bfloat16', bytes: 2, float: true },
  17: { name: 'float8 e4m3', bytes: 1, float: false },
  18: { name: 'float8 e4m3fnuz', bytes: 1, float: false },
  19: { name: 'float8 e5m2', bytes: 1, float: false },
  20: { name: 'float8 e5m2fnuz', bytes: 1, float: false },
}

export const typeName = (dataType: number): string => types[dataType]?.name ?? `type ${dataType}`
/** Whether weights of this type can be read as numbers, pruned and written back. */
export const isPrunableType = (dataType: number): boolean => types[dataType]?.float ?? false

export const elementCount = (dims: readonly number[]): number => dims.reduce((product, size) => product * size, 1)

const damaged = (tensor: OnnxTensor, what: string): AppError =>
  new AppError('MODEL_CORRUPT', `The weight "${tensor.name}" of the ONNX file is damaged: ${what}. Fetch or export the file again.`)

/**
 * The values of a floating-point tensor as float32, row-major in its own shape.
 * @param external bytes of its external data, where the values are outside the file
 */
export function readValues(bytes: Uint8Array, tensor: OnnxTensor, external: Uint8Array | null): Float32Array {
  const count = elementCount(tensor.dims)
  const raw = external ?? (tensor.raw ? bytes.subarray(tensor.raw.start, tensor.raw.end) : null)
  return raw ? fromRaw(raw, tensor, count) : fromTyped(bytes, tensor, count)
}

function fromRaw(raw: Uint8Array, tensor: OnnxTensor, count: number): Float32Array {
  const size = types[tensor.dataType]?.bytes ?? 0
  if (raw.length !== count * size) throw damaged(tensor, `its shape [${tensor.dims.join(', ')}] needs ${count * size} bytes, but ${raw.length} are there`)
  const values = new Float32Array(count)
  if (tensor.dataType === 1) {
    new Uint8Array(values.buffer).set(raw)
    return values
  }
  const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength)
  for (let i = 0; i < count; i++) {
    if (tensor.dataType === 11) values[i] = view.getFloat64(i * 8, true)
    else values[i] = decode16(tensor.dataType, view.getUint16(i * 2, true))
  }
  return values
}

const decode16 = (dataType: number, bits: number): number => (dataType === 16 ? decodeBfloat16(bits) : decodeFloat16(bits))

/** Typed fields: floats in float_data (4), 16-bit floats as bit patterns in int32_data (5), doubles in double_data (10). */
function fromTyped(bytes: Uint8Array, tensor: OnnxTensor, count: number): Float32Array {
  const values = new Float32Array(count)
  const reader = new PbfReader(bytes)
  let filled = 0
  const put = (value: number): void => {
    if (filled >= count) throw damaged(tensor, `it holds more values than its shape [${tensor.dims.join(', ')}] says`)
    values[filled++] = value
  }
  for (const { field, range } of tensor.typed) {
    if (field === 4 && (range.end - range.start) % 4 !== 0) throw damaged(tensor, 'its float data is no whole number of values')
    if (field === 10 && (range.end - range.start) % 8 !== 0) throw damaged(tensor, 'its double data is no whole number of values')
    reader.pos = range.start
    while (reader.pos < range.end) {
      if (field === 4) put(reader.readFloat())
      else if (field === 10) put(reader.readDouble())
      else if (field === 5) put(decode16(tensor.dataType, reader.readVarint() & 0xffff))
      else throw damaged(tensor, `its values are in field ${field}, which does not belong to ${typeName(tensor.dataType)}`)
    }
  }
  if (filled !== count) throw damaged(tensor, `its shape [${tensor.dims.join(', ')}] needs ${count} values, but ${filled} are there`)
  return values
}

/** A raw_data field (tag, length, values) that holds `values` in the tensor's own element type. */
export function rawDataField(tensor: OnnxTensor, values: Float32Array): Uint8Array {
  const data = encode(tensor.dataType, values)
  const length = varint(data.length)
  const field = new Uint8Array(1 + length.length + data.length)
  field[0] = 9 * 8 + 2
  field.set(length, 1)
  field.set(data, 1 + length.length)
  return field
}

function encode(dataType: number, values: Float32Array): Uint8Array {
  if (dataType === 1) return new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
  if (dataType === 11) return new Uint8Array(Float64Array.from(values).buffer)
  return new Uint8Array(Uint16Array.from(values, dataType === 16 ? encodeBfloat16 : encodeFloat16).buffer)
}
