import { PbfWriter } from 'pbf'
import { AppError } from '../../../contract/error.ts'
import type { ModelInfo } from '../../../contract/model.ts'
import { fromView, toView } from '../gemm-view.ts'
import type { LayerChange, LayerUse, OpenModel } from '../open-model.ts'
import type { ExternalData } from './external-data.ts'
import { graphLayers } from './graph-layers.ts'
import type { OnnxLayer } from './graph-layers.ts'
import type { OnnxGraph, OnnxNode, OnnxProto, OnnxTensor } from './proto.ts'
import { splice } from './splice.ts'
import type { Edit } from './splice.ts'
import { rawDataField, readValues } from './tensor-values.ts'

interface Parts {
  name: string
  hash: string
  bytes: Uint8Array
  proto: OnnxProto
  external: ExternalData
}

/** An ONNX model in memory. Replacing weights edits a copy of the file's own bytes; nothing is written anew. */
export class OnnxModel implements OpenModel {
  readonly info: ModelInfo
  private readonly bytes: Uint8Array
  private readonly external: ExternalData
  private readonly layers: ReadonlyMap<string, OnnxLayer>
  private readonly graph: OnnxGraph

  constructor({ name, hash, bytes, proto, external }: Parts) {
    const layers = graphLayers(proto.graph)
    this.bytes = bytes
    this.external = external
    this.layers = new Map(layers.map((layer) => [layer.info.name, layer]))
    this.graph = proto.graph
    this.info = { name, format: `ONNX (operator set ${proto.opset})`, hash, bytes: bytes.length + external.bytes, layers: layers.map((layer) => layer.info) }
  }

  uses(layer: string): readonly LayerUse[] {
    return this.layer(layer).uses
  }

  weights(name: string): Float32Array {
    const layer = this.layer(name)
    const { rows, cols } = layer.info
    return toView(this.values(layer.tensor), rows, cols, layer.layout)
  }

  bias(name: string): Float32Array | null {
    const { bias } = this.layer(name)
    return bias ? this.values(bias) : null
  }

  withChanges(changes: ReadonlyMap<string, LayerChange>): Uint8Array {
    return splice(this.bytes, this.changeEdits(changes))
  }

  /** Nodes that the outputs do not need are left out, so that looking at an early layer costs little. */
  withOutputs(changes: ReadonlyMap<string, LayerChange>, outputs: readonly string[]): Uint8Array {
    const needed = neededNodes(this.graph, outputs)
    const removed = [...this.graph.nodes.filter((node) => !needed.has(node)).map((node) => node.field), ...this.graph.outputFields]
    const kept = this.changeEdits(changes).filter((edit) => !removed.some((field) => field.start <= edit.start && edit.end <= field.end))
    const model = splice(this.bytes, [...kept, ...removed.map((field) => ({ ...field, bytes: new Uint8Array(0) }))])
    const extra = graphOutputsField([...new Set(outputs)])
    const result = new Uint8Array(model.length + extra.length)
    result.set(model)
    result.set(extra, model.length)
    return result
  }

  private changeEdits(changes: ReadonlyMap<string, LayerChange>): Edit[] {
    const replaced = new Map<OnnxTensor, Edit[]>()
    for (const [tensor, data] of this.external.tensors) replaced.set(tensor, replaceValues(tensor, rawBytesField(data)))
    for (const [name, change] of changes) {
      const layer = this.layer(name)
      if (change.weights) replaced.set(layer.tensor, replaceValues(layer.tensor, rawDataField(layer.tensor, this.stored(layer, change.weights))))
      if (change.bias) replaced.set(this.biasTensor(layer), this.biasEdits(layer, change.bias))
    }
    return [...replaced.values()].flat()
  }

  private layer(name: string): OnnxLayer {
    const layer = this.layers.get(name)
    if (!layer) throw new AppError('NOT_FOUND', `The model ${this.info.name} has no layer "${name}"; its layers are ${[...this.layers.keys()].join(', ')}.`)
    return layer
  }

  private values(tensor: OnnxTensor): Float32Array {
    return readValues(this.bytes, tensor, this.external.tensors.get(tensor) ?? null)
  }

  private stored(layer: OnnxLayer, weights: Float32Array): Float32Array {
    const { name, rows, cols } = layer.info
    if (weights.length !== rows * cols) {
      throw new AppError('INVALID_ARGUMENT', `The layer "${name}" holds ${rows}×${cols} weights, but ${weights.length} values were given; give ${rows * cols}.`)
    }
    return fromView(weights, rows, cols, layer.layout)
  }

  private biasTensor(layer: OnnxLayer): OnnxTensor {
    if (!layer.bias) throw new AppError('INVALID_ARGUMENT', `The layer "${layer.info.name}" has no bias of its own that could be changed; leave its bias out.`)
    return layer.bias
  }

  private biasEdits(layer: OnnxLayer, bias: Float32Array): Edit[] {
    const tensor = this.biasTensor(layer)
    if (bias.length !== layer.info.rows) {
      throw new AppError(
        'INVALID_ARGUMENT',
        `The layer "${layer.info.name}" has ${layer.info.rows} biases, but ${bias.length} values were given; give ${layer.info.rows}.`,
      )
    }
    return replaceValues(tensor, rawDataField(tensor, bias))
  }
}

/** The first field that held values becomes `field`; others (several float_data fields, external data) go. */
function replaceValues(tensor: OnnxTensor, field: Uint8Array): Edit[] {
  const [first, ...others] = tensor.payload
  const within = tensor.range
  if (!first) return [{ start: within.end, end: within.end, bytes: field, within }]
  const empty = new Uint8Array(0)
  return [{ ...first, bytes: field, within }, ...others.map((range) => ({ ...range, bytes: empty, within }))]
}

function rawBytesField(data: Uint8Array): Uint8Array {
  const writer = new PbfWriter()
  writer.writeBytesField(9, data)
  return writer.finish()
}

/**
 * Further outputs as bytes that go behind the file: a second `graph` field of ModelProto, which protobuf merges into
 * the first. An output needs its name only.
 */
function graphOutputsField(names: readonly string[]): Uint8Array {
  const writer = new PbfWriter()
  writer.writeMessage(
    7,
    (list: readonly string[], graph) => {
      for (const name of list) graph.writeMessage(12, writeName, name)
    },
    names,
  )
  return writer.finish()
}

function writeName(name: string, output: PbfWriter): void {
  output.writeStringField(1, name)
}

/** The nodes that compute the named tensors. A node with graphs inside needs whatever those graphs read. */
function neededNodes(graph: OnnxGraph, outputs: readonly string[]): Set<OnnxNode> {
  const maker = new Map(graph.nodes.flatMap((node) => node.outputs.map((name) => [name, node] as const)))
  const needed = new Set<OnnxNode>()
  const open = [...outputs]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const node = maker.get(name)
    if (!node || needed.has(node)) continue
    needed.add(node)
    open.push(...namesRead(node))
  }
  return needed
}

function namesRead(node: OnnxNode): string[] {
  const inner = [...node.attributes.values()].flatMap((attribute) => attribute.graphs.flatMap((graph) => [...graph.nodes.flatMap(namesRead), ...graph.outputs]))
  return [...node.inputs, ...inner]
}
