import { crc32, deflateRawSync } from 'node:zlib'
import { PbfWriter } from 'pbf'

/** Writers of small model files, so that the corpus can hold any fault on purpose. */

const text = (value: string): Uint8Array => new TextEncoder().encode(value)

export function joined(...parts: (Uint8Array | string)[]): Uint8Array {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? text(part) : part)))
}

export const floats = (...values: number[]): Uint8Array => new Uint8Array(Float32Array.from(values).buffer)
/** 0, 1, 2 … as float32. */
export const counting = (count: number): Uint8Array => floats(...Array.from({ length: count }, (_, i) => i))

/** @param header an object, or the JSON text itself when it is to be wrong */
export function safetensors(header: object | string, data: Uint8Array): Uint8Array {
  const json = text(typeof header === 'string' ? header : JSON.stringify(header))
  const length = new Uint8Array(8)
  new DataView(length.buffer).setBigUint64(0, BigInt(json.length), true)
  return joined(length, json, data)
}

/** @param header the Python literal, @param version 1, 2 or 3 of the format */
export function npy(header: string, data: Uint8Array, version = 1): Uint8Array {
  const size = version === 1 ? 2 : 4
  const length = new Uint8Array(size)
  const padded = header.padEnd(118, ' ') + '\n'
  if (size === 2) new DataView(length.buffer).setUint16(0, padded.length, true)
  else new DataView(length.buffer).setUint32(0, padded.length, true)
  return joined(Uint8Array.of(0x93), 'NUMPY', Uint8Array.of(version, 0), length, padded, data)
}

/** A zip of entries, stored or deflated. `claim` overstates the unpacked size of every entry. */
export function zip(entries: Record<string, Uint8Array>, { claim = 0, deflate = false } = {}): Uint8Array {
  const bodies: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let offset = 0
  for (const [name, data] of Object.entries(entries)) {
    const title = text(name)
    const packed = deflate ? deflateRawSync(data) : data
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(deflate ? 8 : 0, 4)
    common.writeUInt32LE(crc32(data), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(data.length + claim, 18)
    common.writeUInt16LE(title.length, 22)
    const body = joined('PK\u0003\u0004', common, title, packed)
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    directory.push(joined('PK\u0001\u0002', Uint8Array.of(20, 0), common, tail, title))
    bodies.push(body)
    offset += body.length
  }
  const central = joined(...directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(directory.length, 4)
  end.writeUInt16LE(directory.length, 6)
  end.writeUInt32LE(central.length, 8)
  end.writeUInt32LE(offset, 12)
  return joined(...bodies, central, 'PK\u0005\u0006', end)
}

const shortText = (value: string): Uint8Array => joined(Uint8Array.of(0x8c, value.length), value)
const global = (module: string, name: string): Uint8Array => joined('c', `${module}\n${name}\n`)

/** The pickle of {name: tensor of float32 [rows, cols]} with the storage "0". @param strides in elements */
export function tensorPickle(name: string, shape: [number, number], strides: [number, number] = [shape[1], 1]): Uint8Array {
  const pair = (values: [number, number]): Uint8Array => Uint8Array.of(0x4b, values[0], 0x4b, values[1], 0x86)
  const storage = joined(
    '(',
    shortText('storage'),
    global('torch', 'FloatStorage'),
    shortText('0'),
    shortText('cpu'),
    Uint8Array.of(0x4b, shape[0] * shape[1]),
    't',
    'Q',
  )
  const args = joined('(', storage, Uint8Array.of(0x4b, 0), pair(shape), pair(strides), Uint8Array.of(0x89), global('collections', 'OrderedDict'), ')R', 't')
  return joined(Uint8Array.of(0x80, 2), '}', '(', shortText(name), global('torch._utils', '_rebuild_tensor_v2'), args, 'R', 'u', '.')
}

/** The pickle that runs a command when it is loaded by Python. */
export const hostilePickle = (): Uint8Array => joined(Uint8Array.of(0x80, 2), global('posix', 'system'), shortText('true'), Uint8Array.of(0x85), 'R.')

export interface OnnxTensorParts {
  name: string
  dims: number[]
  /** 1 float32, 10 float16, 16 bfloat16. */
  dataType?: number
  raw?: Uint8Array
  floats?: number[]
  ints?: number[]
  external?: Record<string, string>
}

export interface OnnxNodeParts {
  op: string
  inputs: string[]
  outputs: string[]
  ints?: Record<string, number>
  constant?: OnnxTensorParts
}

/** A model with the input "x" and the output "y", both without shape. */
export function onnx({ nodes, tensors, opset = 13 }: { nodes: OnnxNodeParts[]; tensors: OnnxTensorParts[]; opset?: number }): Uint8Array {
  const writer = new PbfWriter()
  writer.writeVarintField(1, 8)
  writer.writeMessage(
    7,
    (_: null, graph) => {
      for (const node of nodes) graph.writeMessage(1, writeNode, node)
      for (const tensor of tensors) graph.writeMessage(5, writeTensor, tensor)
      graph.writeMessage(11, writeName, 'x')
      graph.writeMessage(12, writeName, 'y')
    },
    null,
  )
  writer.writeMessage(
    8,
    (version: number, message) => {
      message.writeVarintField(2, version)
    },
    opset,
  )
  return writer.finish()
}

function writeName(name: string, message: PbfWriter): void {
  message.writeStringField(1, name)
  message.writeMessage(
    2,
    (_: null, type) => {
      type.writeMessage(
        1,
        (element: number, tensor) => {
          tensor.writeVarintField(1, element)
        },
        1,
      )
    },
    null,
  )
}

function writeNode(node: OnnxNodeParts, message: PbfWriter): void {
  for (const name of node.inputs) message.writeStringField(1, name)
  for (const name of node.outputs) message.writeStringField(2, name)
  message.writeStringField(3, `node ${node.outputs[0] ?? ''}`)
  message.writeStringField(4, node.op)
  for (const [name, value] of Object.entries(node.ints ?? {})) {
    message.writeMessage(
      5,
      (_: null, attribute) => {
        attribute.writeStringField(1, name)
        attribute.writeVarintField(3, value)
      },
      null,
    )
  }
  const { constant } = node
  if (constant) {
    message.writeMessage(
      5,
      (_: null, attribute) => {
        attribute.writeStringField(1, 'value')
        attribute.writeMessage(5, writeTensor, constant)
      },
      null,
    )
  }
}

function writeTensor({ name, dims, dataType = 1, raw, floats: values, ints, external }: OnnxTensorParts, message: PbfWriter): void {
  message.writePackedVarint(1, dims)
  message.writeVarintField(2, dataType)
  if (values) message.writePackedFloat(4, values)
  if (ints) message.writePackedVarint(5, ints)
  message.writeStringField(8, name)
  if (raw) message.writeBytesField(9, raw)
  for (const [key, value] of Object.entries(external ?? {})) {
    message.writeMessage(
      13,
      (_: null, entry) => {
        entry.writeStringField(1, key)
        entry.writeStringField(2, value)
      },
      null,
    )
  }
  if (external) message.writeVarintField(14, 1)
}
