import type { LayerInfo } from '../../contract/model.ts'
import type { LayerChange } from '../model/open-model.ts'
import { solveMasked } from './algebra/masked-solve.ts'
import { MatrixProducts } from './algebra/matrix-product.ts'
import type { CalibrateOptions, Calibrator } from './calibrator.ts'
import { LayerMoments } from './layer-moments.ts'

/** A layer after pruning: which weights stay is said by the mask, never by their values. */
export interface PrunedLayer {
  /** M×K, GEMM view, zero where pruned. */
  weights: Float32Array
  /** Bit r·K + c, least significant bit of a byte first. */
  maskBits: Uint8Array
}

export interface UpdateOptions extends CalibrateOptions {
  /** λ as a share of the mean diagonal of Σ x xᵀ. */
  ridge?: number
  onNote?: (sentence: string) => void
  onProgress?: (done: number, total: number) => void
}

const defaultRidge = 0.01
/** Accuracy no longer changes below it; residuals of float32 products end near 1e-6. */
const tolerance = 1e-4
const mostSteps = 400

/**
 * Least-squares update of the kept weights and the bias of pruned layers against the outputs of the dense network
 * (SCIENCE: section 6b; the layer-wise problem of Optimal Brain Compression, arXiv 2208.11580): for each output
 * channel min ‖ŵ·x_pruned + b − y_dense‖² + λ‖ŵ − w‖² over the kept weights. Layers go in graph order, so x_pruned
 * comes from the network that is already pruned and updated up to there. A weight that several nodes use is fitted on
 * the inputs of the dense network instead: in an unrolled recurrence the pruned states drift away from the dense ones,
 * and a fit of one to the other learns the drift (g2p at 2:4: 39 % of words without an update, 13 % when fitted on
 * drifted states, 56 % on dense ones). The masks do not change.
 * @throws AppError CANCELLED, TASK_INVALID or MODEL_UNSUPPORTED
 */
export async function updateWeights(
  calibrator: Calibrator,
  pruned: ReadonlyMap<string, PrunedLayer>,
  options: UpdateOptions,
): Promise<Map<string, LayerChange>> {
  const result = new Map<string, LayerChange>([...pruned].map(([name, { weights }]) => [name, { weights }]))
  const layers = calibrator.model.info.layers.filter((layer) => pruned.has(layer.name))
  const products = await MatrixProducts.open(options.threads)
  try {
    for (const [index, layer] of layers.entries()) {
      const moments = await collectMoments(calibrator, products, layer, result, options)
      result.set(layer.name, await updateLayer(calibrator, products, layer, pruned.get(layer.name)!, moments, options))
      options.onProgress?.(index + 1, layers.length)
    }
  } finally {
    await products.close()
  }
  return result
}

/** Inputs from the pruned network (dense for a shared weight), outputs to be met from the dense one, on the same samples. */
async function collectMoments(
  calibrator: Calibrator,
  products: MatrixProducts,
  layer: LayerInfo,
  changes: ReadonlyMap<string, LayerChange>,
  options: CalibrateOptions,
): Promise<LayerMoments> {
  const uses = calibrator.model.uses(layer.name)
  const moments = new LayerMoments(layer.rows, layer.cols)
  const variants = [
    { changes: uses.length > 1 ? new Map<string, LayerChange>() : changes, tensors: uses.map((use) => use.input) },
    { changes: new Map<string, LayerChange>(), tensors: uses.map((use) => use.output) },
  ]
  await calibrator.run(variants, options, async ([inputs, outputs]) => {
    for (const use of uses) await moments.add(products, use, inputs!.get(use.input)!, outputs!.get(use.output)!)
  })
  return moments
}

async function updateLayer(
  { model }: Calibrator,
  products: MatrixProducts,
  layer: LayerInfo,
  { weights, maskBits }: PrunedLayer,
  moments: LayerMoments,
  { ridge = defaultRidge, signal, onNote }: UpdateOptions,
): Promise<LayerChange> {
  const { rows, cols } = layer
  const bias = model.bias(layer.name)
  const addsBias = model.uses(layer.name).some((use) => use.addsBias)
  const free = bias !== null || addsBias
  const { gram, target, mean } = free ? centred(moments) : { gram: moments.gram, target: moments.cross, mean: moments.inputSum }
  const lambda = (ridge * trace(gram, cols)) / cols
  for (let i = 0; i < target.length; i++) target[i] = target[i]! + lambda * weights[i]!
  const solution = await solveMasked(
    products,
    { gram, target, start: weights, mask: expandBits(maskBits, rows * cols), rows, cols, ridge: lambda },
    { tolerance, mostSteps, signal },
  )
  if (solution.residual > 10 * tolerance) {
    onNote?.(
      `The update of layer "${layer.name}" stopped after ${solution.steps} steps at a residual of ${solution.residual.toExponential(1)}; its weights are an approximation.`,
    )
  }
  if (!bias) return { weights: solution.values }
  const outputMean = (row: number): number => moments.outputSum[row]! / moments.count + (addsBias ? 0 : bias[row]!)
  return { weights: solution.values, bias: Float32Array.from(bias, (_, row) => outputMean(row) - dot(solution.values, row * cols, mean)) }
}

/** With a free bias the fit is that of the deviations from the means: Σ xxᵀ − N·x̄x̄ᵀ and Σ yxᵀ − N·ȳx̄ᵀ. */
function centred({ gram, cross, inputSum, outputSum, count, rows, cols }: LayerMoments): { gram: Float64Array; target: Float64Array; mean: Float64Array } {
  const mean = inputSum.map((sum) => sum / count)
  const outer = (left: Float64Array, sums: Float64Array, height: number): Float64Array => {
    const result = sums.slice()
    for (let row = 0; row < height; row++) {
      for (let col = 0; col < cols; col++) result[row * cols + col] = result[row * cols + col]! - left[row]! * mean[col]!
    }
    return result
  }
  return { gram: outer(inputSum, gram, cols), target: outer(outputSum, cross, rows), mean }
}

function trace(matrix: Float64Array, size: number): number {
  let sum = 0
  for (let i = 0; i < size; i++) sum += matrix[i * size + i]!
  return sum
}

function dot(values: Float32Array, start: number, vector: Float64Array): number {
  let sum = 0
  for (let i = 0; i < vector.length; i++) sum += values[start + i]! * vector[i]!
  return sum
}

const expandBits = (bits: Uint8Array, count: number): Uint8Array => Uint8Array.from({ length: count }, (_, i) => (bits[i >> 3]! >> (i & 7)) & 1)
