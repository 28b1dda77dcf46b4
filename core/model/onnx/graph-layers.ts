import type { LayerInfo } from '../../../contract/model.ts'
import type { LayerUse } from '../open-model.ts'
import { eligibility } from '../eligibility.ts'
import type { Layout } from '../gemm-view.ts'
import type { OnnxGraph, OnnxNode, OnnxTensor } from './proto.ts'
import { elementCount, isPrunableType, typeName } from './tensor-values.ts'

/** A weight of the graph with what is needed to read it as a GEMM matrix and to write it back. */
export interface OnnxLayer {
  info: LayerInfo
  tensor: OnnxTensor
  layout: Layout
  /** A bias that belongs to this layer alone; null when there is none that can be changed. */
  bias: OnnxTensor | null
  uses: LayerUse[]
}

interface Use {
  node: OnnxNode
  /** Which input of the node the weight is. */
  slot: number
}

/** What one operator makes of a weight: its GEMM view, or why it has none. */
interface View {
  rows: number
  cols: number
  axes: string[]
  /** What K runs over in the GEMM view, slowest first. */
  colAxes: string
  layout: Layout
  /** Why this use cannot be pruned; null when it can. */
  reason: string | null
}

/** The place of the weight among the inputs of the operators that multiply by it or look rows up in it. */
const weightSlots: Record<string, number[]> = {
  Conv: [1],
  ConvTranspose: [1],
  MatMul: [0, 1],
  Gemm: [0, 1],
  Gather: [0],
  LSTM: [1, 2],
  GRU: [1, 2],
  RNN: [1, 2],
}

/**
 * The weights of a graph in the order of their first use. A weight that several nodes use is one layer. Weights of
 * Constant nodes count like initializers.
 */
export function graphLayers(graph: OnnxGraph): OnnxLayer[] {
  const nodes = allNodes(graph)
  const tensors = constantTensors(graph)
  const readers = readersByName(nodes)
  const layers: OnnxLayer[] = []
  const names = new Set<string>()
  for (const [name, uses] of weightUses(nodes, tensors)) {
    const tensor = tensors.get(name)
    const first = uses[0]
    if (!tensor || !first) continue
    const layer = describe(layerName(name, first.node, names), tensor, uses, tensors, readers)
    names.add(layer.info.name)
    layers.push(layer)
  }
  return layers
}

/** The nodes of the graph and of all graphs inside its control-flow nodes. */
function allNodes(graph: OnnxGraph): OnnxNode[] {
  return graph.nodes.flatMap((node) => [node, ...[...node.attributes.values()].flatMap((attribute) => attribute.graphs.flatMap(allNodes))])
}

/** Initializers and the values of Constant nodes, by the name under which nodes read them. */
function constantTensors(graph: OnnxGraph): Map<string, OnnxTensor> {
  const tensors = new Map(graph.initializers.map((tensor) => [tensor.name, tensor]))
  for (const node of graph.nodes) {
    const tensor = node.op === 'Constant' ? node.attributes.get('value')?.tensor : null
    const name = node.outputs[0]
    if (tensor && name) tensors.set(name, tensor)
  }
  return tensors
}

function readersByName(nodes: readonly OnnxNode[]): Map<string, Use[]> {
  const readers = new Map<string, Use[]>()
  for (const node of nodes) {
    node.inputs.forEach((name, slot) => {
      const list = readers.get(name)
      if (list) list.push({ node, slot })
      else readers.set(name, [{ node, slot }])
    })
  }
  return readers
}

function weightUses(nodes: readonly OnnxNode[], tensors: ReadonlyMap<string, OnnxTensor>): Map<string, Use[]> {
  const uses = new Map<string, Use[]>()
  for (const node of nodes) {
    for (const slot of weightSlots[node.op] ?? []) {
      const name = node.inputs[slot]
      const tensor = name === undefined ? undefined : tensors.get(name)
      if (name === undefined || !tensor || tensor.dims.length < 2 || !isFloatLike(tensor)) continue
      const list = uses.get(name)
      if (list) list.push({ node, slot })
      else uses.set(name, [{ node, slot }])
    }
  }
  return uses
}

/** Integer tables that Gather reads are indices, not weights; 8-bit floats are listed but cannot be written back. */
const isFloatLike = (tensor: OnnxTensor): boolean => typeName(tensor.dataType).includes('float')

/** Exporters name folded weights `onnx::Conv_57`; then the node's path says more. */
function layerName(tensorName: string, node: OnnxNode, taken: ReadonlySet<string>): string {
  if (!tensorName.startsWith('onnx::') || !node.name.includes('/')) return tensorName
  const path = node.name.replace(/^\//, '').replace(new RegExp(`/${node.op}(_\\d+)?$`), '')
  return path === '' || taken.has(path) ? tensorName : path
}

function describe(
  name: string,
  tensor: OnnxTensor,
  uses: readonly Use[],
  tensors: ReadonlyMap<string, OnnxTensor>,
  readers: ReadonlyMap<string, Use[]>,
): OnnxLayer {
  const products = uses.filter((use) => use.node.op !== 'Gather')
  const main = (products.length > 0 ? products : uses)[0]!
  const view = viewOf(main, tensor)
  const reason = view.reason ?? mixedUse(main, uses, tensor, view) ?? unprunableType(tensor) ?? eligibility(view.rows, view.cols)
  const info: LayerInfo = {
    name,
    op: main.node.op,
    rows: view.rows,
    cols: view.cols,
    shape: [...tensor.dims],
    axes: view.axes,
    colAxes: view.colAxes,
    dtype: typeName(tensor.dataType),
    uses: uses.map((use) => (use.node.name === '' ? (use.node.outputs[0] ?? use.node.op) : use.node.name)),
    eligible: reason === null,
    reason,
  }
  return {
    info,
    tensor,
    layout: view.layout,
    bias: view.reason === null ? biasOf(uses, view.rows, tensors, readers) : null,
    uses: uses.map((use) => layerUse(use, tensor)),
  }
}

function unprunableType(tensor: OnnxTensor): string | null {
  return isPrunableType(tensor.dataType)
    ? null
    : `${typeName(tensor.dataType)} weights cannot be written back by this app; export the model in float32 or float16`
}

/** All uses must see the same matrix, or one mask would mean two different things. */
function mixedUse(main: Use, uses: readonly Use[], tensor: OnnxTensor, view: View): string | null {
  for (const use of uses) {
    if (use.node.op === 'Gather') return 'tied with an embedding table that is read by index, so pruning it would change the embedding too'
    const other = viewOf(use, tensor)
    if (other.reason !== null) return other.reason
    if (use.node.op !== main.node.op || other.layout.kind !== view.layout.kind)
      return `used both by ${main.node.op} and in another orientation by ${use.node.op}`
  }
  return null
}

function viewOf(use: Use, tensor: OnnxTensor): View {
  const { node, slot } = use
  const dims = tensor.dims
  if (node.op === 'Conv') return convView(node, dims)
  if (node.op === 'Gemm' || node.op === 'MatMul') return productView(node, slot, dims)
  const flat = { rows: dims[0] ?? 0, cols: elementCount(dims.slice(1)), axes: dims.map(() => ''), colAxes: '', layout: { kind: 'rows' } as const }
  if (node.op === 'Gather')
    return {
      ...flat,
      axes: dims.map((_, i) => (i === 0 ? 'index' : 'feature')),
      reason: 'embedding table: it is read by index, so there is no product to speed up',
    }
  return { ...flat, reason: `${node.op} weights are not supported yet; only Conv, MatMul and Gemm weights are pruned` }
}

/** A convolution as its implicit GEMM: M = C_out, K = kh·kw·C_in (see gemm-view.ts). */
function convView(node: OnnxNode, dims: readonly number[]): View {
  const groups = attribute(node, 'group', 1)
  const channels = groups === 1 ? 'C_in' : 'C_in/groups'
  const spatial = windowAxes[dims.length - 2] ?? []
  const view: View = {
    rows: dims[0] ?? 0,
    cols: elementCount(dims.slice(1)),
    axes: ['C_out', channels, ...spatial],
    colAxes: [...spatial, channels].join('·'),
    layout: { kind: 'window', window: elementCount(dims.slice(2)) },
    reason: null,
  }
  if (groups === 1) return view
  const kind = dims[1] === 1 && groups === dims[0] ? 'depthwise convolution' : 'grouped convolution'
  return { ...view, reason: `${kind} with ${groups} groups: each group is a matrix of its own with K = ${view.cols}, too small to gain from sparsity` }
}

/** Names of the window's axes by their number. */
const windowAxes: readonly string[][] = [[], ['k'], ['kh', 'kw'], ['kd', 'kh', 'kw']]

/** MatMul and Gemm: the weight as right operand is [in, out] unless transB; as left operand it is [out, in]. */
function productView(node: OnnxNode, slot: number, dims: readonly number[]): View {
  if (dims.length !== 2) {
    const batched = { rows: dims.at(-1) ?? 0, cols: dims.at(-2) ?? 0, axes: dims.map(() => 'batch'), colAxes: 'in', layout: { kind: 'columns' } as const }
    return { ...batched, reason: `a batch of matrices of rank ${dims.length}; only rank 2 weights are pruned` }
  }
  const flipped = node.op === 'Gemm' && attribute(node, slot === 0 ? 'transA' : 'transB', 0) !== 0
  const outFirst = (slot === 0) !== flipped
  const [a, b] = dims as [number, number]
  return {
    rows: outFirst ? a : b,
    cols: outFirst ? b : a,
    axes: outFirst ? ['out', 'in'] : ['in', 'out'],
    colAxes: 'in',
    layout: { kind: outFirst ? 'rows' : 'columns' },
    reason: slot === 0 ? 'the weight is the left operand of its product, a layout that the sparse kernels do not serve' : null,
  }
}

const attribute = (node: OnnxNode, name: string, fallback: number): number => node.attributes.get(name)?.int ?? fallback

/**
 * The bias that may be changed for this layer: input C of Gemm, B of Conv, or the constant of the Add that follows
 * a MatMul. It must have one value an output channel and be read by the uses of this weight only.
 */
function biasOf(uses: readonly Use[], rows: number, tensors: ReadonlyMap<string, OnnxTensor>, readers: ReadonlyMap<string, Use[]>): OnnxTensor | null {
  const names = new Set(uses.map((use) => biasName(use.node, tensors, readers)))
  const [name] = names
  if (names.size !== 1 || name === null || name === undefined) return null
  const tensor = tensors.get(name)
  if (!tensor || !isPrunableType(tensor.dataType) || elementCount(tensor.dims) !== rows || tensor.dims.at(-1) !== rows) return null
  return (readers.get(name)?.length ?? 0) === uses.length ? tensor : null
}

function biasName(node: OnnxNode, tensors: ReadonlyMap<string, OnnxTensor>, readers: ReadonlyMap<string, Use[]>): string | null {
  const ownBias = node.inputs[2] === undefined || node.inputs[2] === '' ? null : node.inputs[2]
  if (node.op === 'Conv') return ownBias
  if (node.op === 'Gemm') {
    const scaled = (node.attributes.get('alpha')?.float ?? 1) !== 1 || (node.attributes.get('beta')?.float ?? 1) !== 1
    return scaled ? null : ownBias
  }
  const followers = readers.get(node.outputs[0] ?? '') ?? []
  const add = followers[0]
  if (followers.length !== 1 || add?.node.op !== 'Add') return null
  const other = add.node.inputs[1 - add.slot]
  return other !== undefined && tensors.has(other) ? other : null
}

function layerUse({ node, slot }: Use, tensor: OnnxTensor): LayerUse {
  const ints = (name: string): number[] => node.attributes.get(name)?.ints ?? []
  return {
    node: node.name,
    op: node.op,
    input: node.inputs[slot === 0 ? 1 : 0] ?? '',
    output: node.outputs[0] ?? '',
    addsBias: node.op !== 'MatMul' && (node.inputs[2] ?? '') !== '',
    window:
      node.op === 'Conv'
        ? {
            kernel: tensor.dims.slice(2),
            strides: ints('strides'),
            pads: ints('pads'),
            dilations: ints('dilations'),
            autoPad: node.attributes.get('auto_pad')?.text ?? 'NOTSET',
          }
        : null,
  }
}
