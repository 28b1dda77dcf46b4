import { PbfWriter } from 'pbf'
import type * as Runtime from 'onnxruntime-node'

/** A model of one MatMul, and ONNX Runtime calling it: the baseline that most people would use without thinking. */

export interface MatmulShape {
  rows: number
  cols: number
  columns: number
}

interface MatmulGraph extends MatmulShape {
  weights: Float32Array
}

/** Y = W·X with W constant (rows × cols) and X (cols × columns) as the bytes of an ONNX file; field numbers of onnx.proto. */
export function matmulModel(weights: Float32Array, shape: MatmulShape): Uint8Array {
  const writer = new PbfWriter()
  writer.writeVarintField(1, 8)
  writer.writeMessage(7, writeGraph, { weights, ...shape })
  writer.writeMessage(8, writeOperatorSet, 17)
  return writer.finish()
}

function writeOperatorSet(version: number, set: PbfWriter): void {
  set.writeVarintField(2, version)
}

function writeGraph({ weights, rows, cols, columns }: MatmulGraph, graph: PbfWriter): void {
  graph.writeMessage(1, writeNode, null)
  graph.writeStringField(2, 'product')
  graph.writeMessage(5, writeWeights, { weights, rows, cols, columns })
  graph.writeMessage(11, writeValue, { name: 'X', dims: [cols, columns] })
  graph.writeMessage(12, writeValue, { name: 'Y', dims: [rows, columns] })
}

function writeNode(_: null, node: PbfWriter): void {
  node.writeStringField(1, 'W')
  node.writeStringField(1, 'X')
  node.writeStringField(2, 'Y')
  node.writeStringField(4, 'MatMul')
}

function writeWeights({ weights, rows, cols }: MatmulGraph, tensor: PbfWriter): void {
  tensor.writeVarintField(1, rows)
  tensor.writeVarintField(1, cols)
  tensor.writeVarintField(2, 1)
  tensor.writeStringField(8, 'W')
  tensor.writeBytesField(9, new Uint8Array(weights.buffer, weights.byteOffset, weights.byteLength))
}

function writeValue({ name, dims }: { name: string; dims: number[] }, value: PbfWriter): void {
  value.writeStringField(1, name)
  value.writeMessage(2, writeType, dims)
}

function writeType(dims: number[], type: PbfWriter): void {
  type.writeMessage(1, writeTensorType, dims)
}

function writeTensorType(dims: number[], type: PbfWriter): void {
  type.writeVarintField(1, 1)
  type.writeMessage(2, writeShape, dims)
}

function writeShape(dims: number[], shape: PbfWriter): void {
  for (const size of dims) shape.writeMessage(1, writeDimension, size)
}

function writeDimension(size: number, dimension: PbfWriter): void {
  dimension.writeVarintField(1, size)
}

export interface OnnxProduct {
  name: string
  run(): Promise<void>
  /** What the last run wrote; NaN before. */
  output: Float32Array
}

/**
 * The product as a session on the CPU whose worker threads do not spin between calls.
 * @throws Error with code LIBRARY_NOT_FOUND where the optional package is not installed.
 */
export async function openOnnxProduct(weights: Float32Array, activations: Float32Array, shape: MatmulShape, threads: number): Promise<OnnxProduct> {
  const runtime = await import('onnxruntime-node').catch((): typeof Runtime => {
    throw Object.assign(new Error('the optional package onnxruntime-node could not be loaded'), { code: 'LIBRARY_NOT_FOUND' })
  })
  const session = await runtime.InferenceSession.create(matmulModel(weights, shape), {
    executionProviders: ['cpu'],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  })
  const output = new Float32Array(shape.rows * shape.columns).fill(NaN)
  const feeds = { X: new runtime.Tensor('float32', activations, [shape.cols, shape.columns]) }
  const fetches = { Y: new runtime.Tensor('float32', output, [shape.rows, shape.columns]) }
  const version = runtime.env.versions.node ?? runtime.env.versions.common
  return {
    name: `ONNX Runtime ${version} MatMul`,
    output,
    run: async () => {
      await session.run(feeds, fetches)
    },
  }
}
