import type { LayerInfo } from '../../contract/model.ts'
import { isFloat, isPrunable } from './element-type.ts'
import type { ElementType } from './element-type.ts'
import { eligibility } from './eligibility.ts'
import type { Layout } from './gemm-view.ts'

/** A tensor of a file without a graph. */
export interface TensorEntry {
  name: string
  /** null for a type that is listed and not read. */
  type: ElementType | null
  /** The type as the file writes it. */
  typeName: string
  shape: readonly number[]
}

/** The layout of a weight by its shape, as PyTorch keeps them: Linear [out, in], Conv [C_out, C_in, window]. */
export function layoutOf(shape: readonly number[]): Layout {
  return shape.length > 2 ? { kind: 'window', window: shape.slice(2).reduce((product, size) => product * size, 1) } : { kind: 'rows' }
}

const embeddingName = /(?:^|[._/])(?:embed(?:ding)?s?(?:_tokens|_positions)?|wte|wpe|tok(?:en)?_emb\w*|\w+_embeddings?)(?:[._/]|$)/i
const windowAxes: readonly string[][] = [[], ['k'], ['kh', 'kw'], ['kd', 'kh', 'kw']]

/**
 * The rows of the layer view for tensors without a graph: those of rank 2 and more. How a tensor is used is not
 * known, so shape and name decide, and the reason says so.
 */
export function tensorLayers(tensors: readonly TensorEntry[]): LayerInfo[] {
  return tensors.filter(({ shape }) => shape.length >= 2).map(layerOf)
}

function layerOf({ name, type, typeName, shape }: TensorEntry): LayerInfo {
  const rows = shape[0]!
  const cols = shape.slice(1).reduce((product, size) => product * size, 1)
  const window = windowAxes[shape.length - 2]
  const conv = shape.length > 2
  const reason = refusal(name, type, typeName, shape) ?? eligibility(rows, cols)
  return {
    name,
    op: conv ? 'Conv' : 'Linear',
    rows,
    cols,
    shape: [...shape],
    axes: conv ? ['C_out', 'C_in', ...(window ?? shape.slice(2).map(() => ''))] : ['out', 'in'],
    colAxes: conv ? [...(window ?? []), 'C_in'].join('·') : 'in',
    dtype: type ?? typeName,
    uses: [],
    eligible: reason === null,
    reason,
  }
}

function refusal(name: string, type: ElementType | null, typeName: string, shape: readonly number[]): string | null {
  if (type === null) return `the element type ${typeName} is listed but not read`
  if (!isFloat(type)) return `${type} values are not weights that a mask could prune`
  if (!isPrunable(type)) return `${type} weights cannot be written back by this app; convert the file to float16 or bfloat16`
  if (shape.includes(0)) return 'empty: it holds no weights'
  if (embeddingName.test(name)) return 'an embedding table by its name: it is read by index, so there is no product to speed up'
  if (shape.length > 5) return `a tensor of rank ${shape.length}; weights of rank 2 to 5 are pruned`
  if (shape.length > 2 && shape[1] === 1) return 'a depthwise convolution by its shape: each channel is a matrix of its own, too small to gain from sparsity'
  return null
}
