import { extname, basename } from 'node:path'
import { AppError } from '../../../contract/error.ts'
import { readWhole, sha256 } from '../model-file.ts'
import type { ModelFormat, OpenOptions } from '../open-model.ts'
import { loadExternalData } from './external-data.ts'
import { OnnxModel } from './onnx-model.ts'
import { readOnnx } from './proto.ts'

/** The operator sets whose Conv, MatMul and Gemm mean what this reader takes them to mean. */
const leastOpset = 7

/** ONNX has no magic number: the first field of a ModelProto is nearly always ir_version (tag 8), and the name says .onnx. */
function sniff(start: Uint8Array, path: string): boolean {
  if (extname(path).toLowerCase() === '.onnx') return true
  return start[0] === 8 && (start[1] ?? 0) > 0 && (start[1] ?? 0) < 0x80 && (start[2] ?? 0) % 8 <= 5
}

async function open(path: string, { data }: OpenOptions): Promise<OnnxModel> {
  const bytes = await readWhole(path)
  const proto = read(bytes, path)
  if (proto.opset > 0 && proto.opset < leastOpset) {
    throw new AppError(
      'MODEL_UNSUPPORTED',
      `The file ${basename(path)} uses ONNX operator set ${proto.opset}; ${leastOpset} or later is supported. Convert it with a later exporter.`,
    )
  }
  const external = await loadExternalData(path, proto.graph, data ?? new Map())
  return new OnnxModel({ name: basename(path, extname(path)), hash: sha256(bytes), bytes, proto, external })
}

/** A file that ends .onnx and cannot be read from its very first field is no ONNX file at all. */
function read(bytes: Uint8Array, path: string): ReturnType<typeof readOnnx> {
  try {
    return readOnnx(bytes)
  } catch (error) {
    if (error instanceof AppError && error.code === 'MODEL_CORRUPT' && !startsLikeOnnx(bytes)) {
      throw new AppError(
        'NOT_A_MODEL',
        `The file ${basename(path)} is not an ONNX model: its first bytes are not those of one. Choose a file that an ONNX exporter wrote.`,
        { cause: error },
      )
    }
    throw error
  }
}

const startsLikeOnnx = (bytes: Uint8Array): boolean => bytes[0] === 8 && (bytes[1] ?? 0) > 0 && (bytes[1] ?? 0) < 32

export const format: ModelFormat = { name: 'ONNX', sniff, open }
