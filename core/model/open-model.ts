import { AppError } from '../../contract/error.ts'
import type { ModelInfo } from '../../contract/model.ts'
import { notAModel, readStart } from './model-file.ts'
import { npy, npz } from './numpy/numpy-format.ts'
import * as onnx from './onnx/onnx-format.ts'
import { legacyPytorch, pytorch } from './pytorch/pytorch-format.ts'
import { safetensors, safetensorsIndex } from './safetensors/safetensors-format.ts'

/** New values of one layer; what is left out stays as it was. */
export interface LayerChange {
  /** GEMM view, M×K row-major. */
  weights?: Float32Array
  /** One value an output channel, M in all. */
  bias?: Float32Array
}

/** The window of a convolution, as ONNX gives it; empty lists mean the operator's own defaults. */
export interface ConvWindow {
  kernel: number[]
  strides: number[]
  pads: number[]
  dilations: number[]
  autoPad: string
}

/** One node that uses a weight, and the activation that it multiplies. */
export interface LayerUse {
  node: string
  op: string
  /** Name of the tensor that holds the activations. */
  input: string
  /** Name of the tensor that the node writes: the product, with the bias where the operator adds it itself. */
  output: string
  /** The operator itself adds a bias, so that `output` has it. */
  addsBias: boolean
  /** Set for a convolution only. */
  window: ConvWindow | null
}

/** A model file that has been read and checked. Weights are decoded when they are asked for. */
export interface OpenModel {
  readonly info: ModelInfo
  /** Nodes of the graph that use the layer; empty where the file has no graph. */
  uses(layer: string): readonly LayerUse[]
  /** The weight as M×K row-major float32 (GEMM view), a fresh copy. */
  weights(layer: string): Float32Array
  /** M values; null where the layer has no bias that can be changed without touching other layers. */
  bias(layer: string): Float32Array | null
  /** Bytes of the whole model with these layers replaced and everything else untouched. */
  withChanges(changes: ReadonlyMap<string, LayerChange>): Uint8Array
  /** A model that computes the named tensors of the graph and nothing else, for calibration; layers replaced as asked. */
  withOutputs(changes: ReadonlyMap<string, LayerChange>, outputs: readonly string[]): Uint8Array
}

/** A reader: `sniff` looks at the first bytes and the name only, `open` reads and checks the file. */
export interface ModelFormat {
  name: string
  sniff(start: Uint8Array, path: string): boolean
  open(path: string, options: OpenOptions): Promise<OpenModel>
}

export interface OpenOptions {
  /**
   * External data files that are not beside the model, by the name that the model gives them: the files that make up
   * each, joined in order. Chosen by a person, so they may lie anywhere.
   */
  data?: ReadonlyMap<string, readonly string[]>
}

/** In the order in which they are asked: those with a magic number first. */
const formats: readonly ModelFormat[] = [npy, npz, pytorch, safetensors, safetensorsIndex, legacyPytorch, onnx.format]

/**
 * Opens a model file of any known format.
 * @throws AppError FILE_NOT_FOUND, FILE_NOT_READABLE, NOT_A_MODEL, MODEL_CORRUPT or MODEL_UNSUPPORTED
 */
export async function openModel(path: string, options: OpenOptions = {}): Promise<OpenModel> {
  const start = await readStart(path)
  const refusal = notAModel(start, path)
  if (refusal !== null) throw new AppError('NOT_A_MODEL', refusal)
  const format = formats.find((candidate) => candidate.sniff(start, path))
  if (!format) {
    const names = formats.map((candidate) => candidate.name).join(', ')
    throw new AppError('NOT_A_MODEL', `The file ${path} is not a model that can be read; the known formats are ${names}. Choose a file of one of these.`)
  }
  return await format.open(path, options)
}
