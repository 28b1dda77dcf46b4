import { PbfReader } from 'pbf'
import { AppError } from '../../../contract/error.ts'

/**
 * The parts of an ONNX file that a pruner needs, each with the place of its bytes, so that a weight can be replaced
 * without writing the rest anew. Field numbers are those of the public onnx.proto (IR version 3 to 12).
 */

/** A message inside the file: its content is [start, end), the varint with its length begins at `lengthAt`. */
export interface MessageRange {
  lengthAt: number
  start: number
  end: number
  parent: MessageRange | null
}

export interface ByteRange {
  start: number
  end: number
}

export interface OnnxTensor {
  name: string
  dims: number[]
  dataType: number
  range: MessageRange
  /** raw_data, without its tag and length; null when the values are elsewhere. */
  raw: ByteRange | null
  /** Values in typed fields by field number (4 float, 5 int32, 7 int64, 10 double, 11 uint64), packed or single. */
  typed: { field: number; wire: number; range: ByteRange }[]
  /** Key and value pairs of external_data; null for data inside the file. */
  external: Map<string, string> | null
  /** Whole fields (tag included) that hold values or say where they are: what a replacement removes. */
  payload: ByteRange[]
}

export interface OnnxAttribute {
  name: string
  int: number
  float: number
  ints: number[]
  text: string
  tensor: OnnxTensor | null
  graphs: OnnxGraph[]
}

export interface OnnxNode {
  name: string
  op: string
  domain: string
  inputs: string[]
  outputs: string[]
  attributes: Map<string, OnnxAttribute>
  /** The whole field in its graph, tag included. */
  field: FieldRange
}

/** A field of a message, tag included, and the message that it is in. */
export interface FieldRange extends ByteRange {
  within: MessageRange
}

export interface OnnxGraph {
  name: string
  nodes: OnnxNode[]
  initializers: OnnxTensor[]
  sparseInitializers: number
  inputs: string[]
  outputs: string[]
  /** The fields that declare the outputs, in their order. */
  outputFields: FieldRange[]
}

export interface OnnxProto {
  irVersion: number
  producer: string
  opset: number
  graph: OnnxGraph
}

/** Deeper nesting than any real model has; a guard against files made to exhaust the stack. */
const maxDepth = 64

const corrupt = (what: string, at: number): AppError =>
  new AppError('MODEL_CORRUPT', `The ONNX file is damaged: ${what} at byte ${at}. Fetch or export the file again.`)

/** Visits the fields of one message and checks that each ends inside it. Offsets are those of the whole file. */
class MessageReader {
  readonly pbf: PbfReader
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.pbf = new PbfReader(bytes)
  }

  fields(start: number, end: number, visit: (field: OneField) => void): void {
    const { pbf } = this
    let at = start
    while (at < end) {
      pbf.pos = at
      const tag = this.varint(end)
      const field = Math.floor(tag / 8)
      const wire = tag % 8
      if (field === 0) throw corrupt('a field has the number 0', at)
      const one = new OneField(this, field, wire, at, end)
      visit(one)
      at = one.end
    }
  }

  varint(limit: number): number {
    const at = this.pbf.pos
    let value: number
    try {
      value = this.pbf.readVarint(true)
    } catch {
      throw corrupt('a number is longer than 10 bytes', at)
    }
    if (this.pbf.pos > limit) throw corrupt('a number runs past the end of its message', at)
    return value
  }
}

class OneField {
  readonly field: number
  readonly wire: number
  /** First byte of the tag. */
  readonly tagAt: number
  readonly lengthAt: number
  readonly start: number
  readonly end: number
  private readonly value: number
  private readonly reader: MessageReader

  constructor(reader: MessageReader, field: number, wire: number, tagAt: number, limit: number) {
    this.reader = reader
    this.field = field
    this.wire = wire
    this.tagAt = tagAt
    this.lengthAt = reader.pbf.pos
    this.value = 0
    if (wire === 2) {
      const length = reader.varint(limit)
      this.start = reader.pbf.pos
      this.end = this.start + length
      if (length < 0 || this.end > limit) throw corrupt(`field ${field} claims ${length} bytes where ${limit - this.start} are left`, tagAt)
      return
    }
    this.start = this.lengthAt
    if (wire === 0) {
      this.value = reader.varint(limit)
      this.end = reader.pbf.pos
    } else if (wire === 1 || wire === 5) {
      this.end = this.start + (wire === 1 ? 8 : 4)
      if (this.end > limit) throw corrupt(`field ${field} runs past the end of its message`, tagAt)
    } else {
      throw corrupt(`field ${field} has the wire type ${wire}, which ONNX does not use`, tagAt)
    }
  }

  int(): number {
    if (this.wire !== 0) throw corrupt(`field ${this.field} is not a number`, this.tagAt)
    return this.value
  }

  float(): number {
    if (this.wire !== 5) throw corrupt(`field ${this.field} is not a float`, this.tagAt)
    return this.reader.pbf.dataView.getFloat32(this.start, true)
  }

  text(): string {
    const { start, end } = this.content()
    return new TextDecoder().decode(this.reader.bytes.subarray(start, end))
  }

  content(): ByteRange {
    if (this.wire !== 2) throw corrupt(`field ${this.field} is not a message or text`, this.tagAt)
    return { start: this.start, end: this.end }
  }

  /** A repeated integer field: packed or one value. */
  ints(into: number[]): void {
    if (this.wire === 0) {
      into.push(this.value)
      return
    }
    const { start, end } = this.content()
    this.reader.pbf.pos = start
    while (this.reader.pbf.pos < end) into.push(this.reader.varint(end))
  }

  message(parent: MessageRange | null): MessageRange {
    this.content()
    return { lengthAt: this.lengthAt, start: this.start, end: this.end, parent }
  }
}

/**
 * Reads the structure of an ONNX file; tensor values are not decoded.
 * @throws AppError MODEL_CORRUPT with the byte where reading failed; NOT_A_MODEL when there is no graph in it.
 */
export function readOnnx(bytes: Uint8Array): OnnxProto {
  const reader = new MessageReader(bytes)
  const model: OnnxProto = { irVersion: 0, producer: '', opset: 0, graph: emptyGraph() }
  let graphs = 0
  reader.fields(0, bytes.length, (field) => {
    if (field.field === 1) model.irVersion = field.int()
    else if (field.field === 2) model.producer = field.text()
    else if (field.field === 8) readOpset(reader, field, model)
    else if (field.field === 7) {
      graphs += 1
      readGraph(reader, field.message(null), model.graph, 0)
    }
  })
  if (graphs === 0) throw new AppError('NOT_A_MODEL', 'The file is not an ONNX model: no graph was found in it. Choose a file that an ONNX exporter wrote.')
  return model
}

function emptyGraph(): OnnxGraph {
  return { name: '', nodes: [], initializers: [], sparseInitializers: 0, inputs: [], outputs: [], outputFields: [] }
}

function readOpset(reader: MessageReader, field: OneField, model: OnnxProto): void {
  let domain = ''
  let version = 0
  reader.fields(field.content().start, field.end, (inner) => {
    if (inner.field === 1) domain = inner.text()
    else if (inner.field === 2) version = inner.int()
  })
  if (domain === '' || domain === 'ai.onnx') model.opset = version
}

function readGraph(reader: MessageReader, range: MessageRange, graph: OnnxGraph, depth: number): void {
  if (depth > maxDepth) throw corrupt(`graphs are nested more than ${maxDepth} deep`, range.start)
  reader.fields(range.start, range.end, (field) => {
    switch (field.field) {
      case 1:
        graph.nodes.push(readNode(reader, field, range, depth))
        break
      case 2:
        graph.name = field.text()
        break
      case 5:
        graph.initializers.push(readTensor(reader, field.message(range)))
        break
      case 11:
        graph.inputs.push(readValueName(reader, field))
        break
      case 12:
        graph.outputs.push(readValueName(reader, field))
        graph.outputFields.push({ start: field.tagAt, end: field.end, within: range })
        break
      case 15:
        graph.sparseInitializers += 1
        break
    }
  })
}

function readValueName(reader: MessageReader, field: OneField): string {
  let name = ''
  reader.fields(field.content().start, field.end, (inner) => {
    if (inner.field === 1) name = inner.text()
  })
  return name
}

function readNode(reader: MessageReader, whole: OneField, graph: MessageRange, depth: number): OnnxNode {
  const range = whole.message(graph)
  const place: FieldRange = { start: whole.tagAt, end: whole.end, within: graph }
  const node: OnnxNode = { name: '', op: '', domain: '', inputs: [], outputs: [], attributes: new Map(), field: place }
  reader.fields(range.start, range.end, (field) => {
    if (field.field === 1) node.inputs.push(field.text())
    else if (field.field === 2) node.outputs.push(field.text())
    else if (field.field === 3) node.name = field.text()
    else if (field.field === 4) node.op = field.text()
    else if (field.field === 7) node.domain = field.text()
    else if (field.field === 5) {
      const attribute = readAttribute(reader, field.message(range), depth)
      node.attributes.set(attribute.name, attribute)
    }
  })
  return node
}

function readAttribute(reader: MessageReader, range: MessageRange, depth: number): OnnxAttribute {
  const attribute: OnnxAttribute = { name: '', int: 0, float: 0, ints: [], text: '', tensor: null, graphs: [] }
  reader.fields(range.start, range.end, (field) => {
    switch (field.field) {
      case 1:
        attribute.name = field.text()
        break
      case 2:
        attribute.float = field.float()
        break
      case 3:
        attribute.int = field.int()
        break
      case 4:
        attribute.text = field.text()
        break
      case 5:
        attribute.tensor = readTensor(reader, field.message(range))
        break
      case 6:
      case 11: {
        const graph = emptyGraph()
        readGraph(reader, field.message(range), graph, depth + 1)
        attribute.graphs.push(graph)
        break
      }
      case 8:
        field.ints(attribute.ints)
        break
    }
  })
  return attribute
}

const valueFields = new Set([4, 5, 6, 7, 9, 10, 11, 13, 14])

function readTensor(reader: MessageReader, range: MessageRange): OnnxTensor {
  const tensor: OnnxTensor = { name: '', dims: [], dataType: 0, range, raw: null, typed: [], external: null, payload: [] }
  reader.fields(range.start, range.end, (field) => {
    if (valueFields.has(field.field)) tensor.payload.push({ start: field.tagAt, end: field.end })
    switch (field.field) {
      case 1:
        field.ints(tensor.dims)
        break
      case 2:
        tensor.dataType = field.int()
        break
      case 8:
        tensor.name = field.text()
        break
      case 9:
        tensor.raw = field.content()
        break
      case 4:
      case 5:
      case 7:
      case 10:
      case 11:
        tensor.typed.push({ field: field.field, wire: field.wire, range: { start: field.start, end: field.end } })
        break
      case 13:
        tensor.external ??= new Map()
        readExternalEntry(reader, field, tensor.external)
        break
    }
  })
  const wrong = tensor.dims.find((size) => !Number.isSafeInteger(size) || size < 0)
  if (wrong !== undefined) throw corrupt(`the tensor "${tensor.name}" has an axis of ${wrong} elements`, range.start)
  return tensor
}

function readExternalEntry(reader: MessageReader, field: OneField, entries: Map<string, string>): void {
  let key = ''
  let value = ''
  reader.fields(field.content().start, field.end, (inner) => {
    if (inner.field === 1) key = inner.text()
    else if (inner.field === 2) value = inner.text()
  })
  entries.set(key, value)
}
