import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { AppError } from '../../contract/error.ts'
import type { ModelInfo } from '../../contract/model.ts'
import { decodeElements, encodeElements } from './element-type.ts'
import { fromView, toView } from './gemm-view.ts'
import { fileError } from './model-file.ts'
import type { LayerChange, LayerUse, OpenModel } from './open-model.ts'
import { layoutOf, tensorLayers } from './tensor-layers.ts'
import type { TensorEntry } from './tensor-layers.ts'

/** A tensor and where its packed elements lie. */
export interface StoredTensor extends TensorEntry {
  file: string
  start: number
  end: number
  /** Elements that were unpacked when the file was opened, in place of a range of the file. */
  data?: Uint8Array
  /** Numbers in row-major order, for elements that are not packed row-major and little-endian. */
  convert?: (bytes: Uint8Array) => Float32Array
}

interface Parts {
  path: string
  format: string
  tensors: readonly StoredTensor[]
  /** All files of the model, the one that replacements are written into first. */
  files: readonly string[]
  /** Why replaced weights cannot be put into a copy of the file; without it they can. */
  readOnly?: string
}

/** Larger files are identified by samples, so that opening 30 GB takes no longer than reading its header. */
const wholeHashBytes = 256 * 2 ** 20
const [hashSamples, hashSampleBytes] = [64, 65536]

/** Weights without a graph (safetensors, numpy, PyTorch): they are read from the file when asked for. */
export class TensorFileModel implements OpenModel {
  readonly info: ModelInfo
  private readonly files: readonly string[]
  private readonly tensors: ReadonlyMap<string, StoredTensor>
  private readonly readOnly: string | null

  constructor({ path, format, tensors, files, readOnly }: Parts) {
    const sizes = files.map(fileSize)
    this.files = files
    this.readOnly = readOnly ?? null
    this.tensors = new Map(tensors.map((tensor) => [tensor.name, tensor]))
    this.info = {
      name: basename(path, extname(path)),
      format,
      hash: hashFiles(files, sizes),
      bytes: sizes.reduce((sum, size) => sum + size, 0),
      layers: tensorLayers(tensors),
    }
  }

  uses(): readonly LayerUse[] {
    return []
  }

  weights(name: string): Float32Array {
    const { tensor, rows, cols } = this.layer(name)
    const bytes = tensor.data ?? readRange(tensor.file, tensor.start, tensor.end - tensor.start)
    const values = tensor.convert ? tensor.convert(bytes) : decodeElements(bytes, tensor.type!)
    return toView(values, rows, cols, layoutOf(tensor.shape))
  }

  /** Without a graph nothing says which bias belongs to a weight. */
  bias(): Float32Array | null {
    return null
  }

  withChanges(changes: ReadonlyMap<string, LayerChange>): Uint8Array {
    if (this.readOnly !== null)
      throw new AppError('MODEL_UNSUPPORTED', `Weights of ${this.info.name} cannot be replaced in a copy of it: ${this.readOnly}; export to safetensors.`)
    const [file, ...others] = this.files
    if (file === undefined || others.length > 0)
      throw new AppError('MODEL_UNSUPPORTED', `The model ${this.info.name} lies in ${this.files.length} files; export it shard by shard.`)
    const bytes = readRange(file, 0, fileSize(file))
    for (const [name, { weights, bias }] of changes) {
      const { tensor, rows, cols } = this.layer(name)
      if (bias) throw new AppError('INVALID_ARGUMENT', `The layer "${name}" has no bias of its own that could be changed; leave its bias out.`)
      if (!weights) continue
      if (weights.length !== rows * cols)
        throw new AppError(
          'INVALID_ARGUMENT',
          `The layer "${name}" holds ${rows}×${cols} weights, but ${weights.length} values were given; give ${rows * cols}.`,
        )
      bytes.set(encodeElements(fromView(weights, rows, cols, layoutOf(tensor.shape)), tensor.type!), tensor.start)
    }
    return bytes
  }

  withOutputs(): Uint8Array {
    throw new AppError('MODEL_UNSUPPORTED', `The file ${this.info.name} holds weights only, so it cannot be run; accuracy and calibration need an ONNX model.`)
  }

  private layer(name: string): { tensor: StoredTensor; rows: number; cols: number } {
    const tensor = this.tensors.get(name)
    const info = this.info.layers.find((layer) => layer.name === name)
    if (!tensor || !info) throw new AppError('NOT_FOUND', `The model ${this.info.name} has no layer "${name}".`)
    if (tensor.type === null)
      throw new AppError('MODEL_UNSUPPORTED', `The layer "${name}" has the element type ${tensor.typeName}, which is listed but not read.`)
    return { tensor, rows: info.rows, cols: info.cols }
  }
}

/** A part of a file. @throws AppError FILE_NOT_FOUND, FILE_NOT_READABLE, or MODEL_CORRUPT when the file became shorter */
export function readRange(path: string, start: number, length: number): Uint8Array {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (cause) {
    throw fileError(path, cause)
  }
  try {
    const bytes = new Uint8Array(length)
    for (let filled = 0; filled < length;) {
      const read = readSync(file, bytes, filled, Math.min(length - filled, 2 ** 30), start + filled)
      if (read === 0) throw new AppError('MODEL_CORRUPT', `The file ${path} ends before byte ${start + length}; fetch or export it again.`)
      filled += read
    }
    return bytes
  } finally {
    closeSync(file)
  }
}

export function fileSize(path: string): number {
  try {
    const file = openSync(path, 'r')
    try {
      return fstatSync(file).size
    } finally {
      closeSync(file)
    }
  } catch (cause) {
    throw fileError(path, cause)
  }
}

function hashFiles(files: readonly string[], sizes: readonly number[]): string {
  const hash = createHash('sha256')
  for (const [index, file] of files.entries()) {
    const size = sizes[index]!
    if (size <= wholeHashBytes) {
      hash.update(readRange(file, 0, size))
      continue
    }
    hash.update(String(size))
    for (let i = 0; i < hashSamples; i++) hash.update(readRange(file, Math.floor(((size - hashSampleBytes) * i) / (hashSamples - 1)), hashSampleBytes))
  }
  return hash.digest('hex')
}
