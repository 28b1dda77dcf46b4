import { PbfReader } from 'pbf'
import { AppError } from '../../../contract/error.ts'
import { decodeElements, elementBytes, encodeElements, isPrunable } from '../element-type.ts'
import type { ElementType } from '../element-type.ts'
import { decodeBfloat16, decodeFloat16 } from '../number-formats.ts'
import type { OnnxTensor } from './proto.ts'
import { varint } from './splice.ts'

/** The element types of onnx.proto by their number; those that are missing are listed by number and not read. */
const types: Record<number, ElementType | undefined> = {
  1: 'float32',
  2: 'uint8',
  3: 'int8',
  4: 'uint16',
  5: 'int16',
  6: 'int32',
  7: 'int64',
  9: 'bool',
  10: 'float16',
  11: 'float64',
  12: 'uint32',
  13: 'uint64',
  16: 'bfloat16',
  17: 'float8 e4m3',
  18: 'float8 e4m3fnuz',
  19: 'float8 e5m2',
  20: 'float8 e5m2fnuz',
  24: 'float8 e8m0',
}

export const typeName = (dataType: number): string => types[dataType] ?? `type ${dataType}`
/** Whether weights of this type can be read as numbers, pruned and written back. */
export const isPrunableType = (dataType: number): boolean => {
  const type = types[dataType]
  return type !== undefined && isPrunable(type)
}

export const elementCount = (dims: readonly number[]): number => dims.reduce((product, size) => product * size, 1)

const damaged = (tensor: OnnxTensor, what: string): AppError =>
  new AppError('MODEL_CORRUPT', `The weight "${tensor.name}" of the ONNX file is damaged: ${what}. Fetch or export the file again.`)

/**
 * The values of a floating-point tensor as float32, row-major in its own shape. Sizes are compared with the bytes
 * that are there before anything is allocated.
 * @param external bytes of its external data, where the values are outside the file
 */
export function readValues(bytes: Uint8Array, tensor: OnnxTensor, external: Uint8Array | null): Float32Array {
  const type = types[tensor.dataType]
  if (!type) throw damaged(tensor, `its element type ${tensor.dataType} is not read`)
  const raw = external ?? (tensor.raw ? bytes.subarray(tensor.raw.start, tensor.raw.end) : null)
  if (!raw) return fromTyped(bytes, tensor)
  const needed = elementCount(tensor.dims) * elementBytes(type)
  if (raw.length !== needed) throw damaged(tensor, `its shape [${tensor.dims.join(', ')}] needs ${needed} bytes, but ${raw.length} are there`)
  return decodeElements(raw, type)
}

/** Typed fields: floats in float_data (4), 16-bit floats as bit patterns in int32_data (5), doubles in double_data (10). */
function fromTyped(bytes: Uint8Array, tensor: OnnxTensor): Float32Array {
  const count = elementCount(tensor.dims)
  const shape = `its shape [${tensor.dims.join(', ')}]`
  if (count > tensor.typed.reduce((sum, { range }) => sum + range.end - range.start, 0))
    throw damaged(tensor, `${shape} needs ${count} values, but fewer bytes are there`)
  const values = new Float32Array(count)
  const reader = new PbfReader(bytes)
  let filled = 0
  for (const { field, range } of tensor.typed) {
    const width = field === 4 ? 4 : field === 10 ? 8 : 1
    if ((range.end - range.start) % width !== 0) throw damaged(tensor, 'its data is no whole number of values')
    reader.pos = range.start
    while (reader.pos < range.end) {
      if (filled >= count) throw damaged(tensor, `it holds more values than ${shape} says`)
      values[filled++] = typedValue(reader, tensor, field)
    }
  }
  if (filled !== count) throw damaged(tensor, `${shape} needs ${count} values, but ${filled} are there`)
  return values
}

function typedValue(reader: PbfReader, tensor: OnnxTensor, field: number): number {
  if (field === 4 && tensor.dataType === 1) return reader.readFloat()
  if (field === 10 && tensor.dataType === 11) return reader.readDouble()
  if (field === 5 && tensor.dataType === 10) return decodeFloat16(bitPattern(reader, tensor))
  if (field === 5 && tensor.dataType === 16) return decodeBfloat16(bitPattern(reader, tensor))
  throw damaged(tensor, `its values are in field ${field}, which does not belong to ${typeName(tensor.dataType)}`)
}

function bitPattern(reader: PbfReader, tensor: OnnxTensor): number {
  try {
    return reader.readVarint() & 0xffff
  } catch {
    throw damaged(tensor, `a value at byte ${reader.pos} is no number`)
  }
}

/** A raw_data field (tag, length, values) that holds `values` in the tensor's own element type. */
export function rawDataField(tensor: OnnxTensor, values: Float32Array): Uint8Array {
  const type = types[tensor.dataType]
  if (!type) throw damaged(tensor, `its element type ${tensor.dataType} cannot be written`)
  const data = encodeElements(values, type)
  const length = varint(data.length)
  const field = new Uint8Array(1 + length.length + data.length)
  field[0] = 9 * 8 + 2
  field.set(length, 1)
  field.set(data, 1 + length.length)
  return field
}
