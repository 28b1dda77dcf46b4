import { PbfWriter } from 'pbf'
import { openSession, runFeeds } from '../runtime.ts'
import type { Session } from '../runtime.ts'

/** A row-major float32 matrix. */
export interface Matrix {
  values: Float32Array
  rows: number
  cols: number
}

/**
 * Products of large matrices by ONNX Runtime's own GEMM, so that calibration runs at the speed of inference: a model
 * of one Gemm node, fed with both matrices.
 */
export class MatrixProducts {
  private readonly plain: Session
  private readonly transposed: Session

  private constructor(plain: Session, transposed: Session) {
    this.plain = plain
    this.transposed = transposed
  }

  static async open(threads: number): Promise<MatrixProducts> {
    return new MatrixProducts(await openSession(gemmModel(false), threads), await openSession(gemmModel(true), threads))
  }

  async close(): Promise<void> {
    await this.plain.release()
    await this.transposed.release()
  }

  /** A·B of A (m×k) and B (k×n). */
  multiply(a: Matrix, b: Matrix): Promise<Float32Array> {
    return product(this.plain, a, b)
  }

  /** Aᵀ·B of A (k×m) and B (k×n). */
  transposeMultiply(a: Matrix, b: Matrix): Promise<Float32Array> {
    return product(this.transposed, a, b)
  }
}

async function product(session: Session, a: Matrix, b: Matrix): Promise<Float32Array> {
  const outputs = await runFeeds(session, { a: { values: a.values, dims: [a.rows, a.cols] }, b: { values: b.values, dims: [b.rows, b.cols] } })
  return outputs.y?.data as Float32Array
}

/** The bytes of y = Gemm(a, b) with transA as asked, operator set 13 (field numbers: see model/onnx/proto.ts). */
function gemmModel(transA: boolean): Uint8Array {
  const writer = new PbfWriter()
  writer.writeVarintField(1, 8)
  writer.writeMessage(7, writeGraph, transA)
  writer.writeMessage(
    8,
    (version: number, opset) => {
      opset.writeVarintField(2, version)
    },
    13,
  )
  return writer.finish()
}

function writeGraph(transA: boolean, graph: PbfWriter): void {
  graph.writeMessage(1, writeNode, transA)
  graph.writeStringField(2, 'product')
  graph.writeMessage(11, writeValue, 'a')
  graph.writeMessage(11, writeValue, 'b')
  graph.writeMessage(12, writeValue, 'y')
}

function writeNode(transA: boolean, node: PbfWriter): void {
  node.writeStringField(1, 'a')
  node.writeStringField(1, 'b')
  node.writeStringField(2, 'y')
  node.writeStringField(4, 'Gemm')
  node.writeMessage(5, writeTransA, transA)
}

function writeTransA(transA: boolean, attribute: PbfWriter): void {
  attribute.writeStringField(1, 'transA')
  attribute.writeVarintField(3, transA ? 1 : 0)
  attribute.writeVarintField(20, 2)
}

/** A value of type float tensor without a fixed shape. */
function writeValue(name: string, value: PbfWriter): void {
  value.writeStringField(1, name)
  value.writeMessage(2, writeFloatTensorType, 1)
}

function writeFloatTensorType(elementType: number, type: PbfWriter): void {
  type.writeMessage(
    1,
    (element: number, tensor) => {
      tensor.writeVarintField(1, element)
    },
    elementType,
  )
}
