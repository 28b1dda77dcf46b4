import type { LayerInfo } from '../../contract/model.ts'
import type { SaliencyId } from '../../contract/saliency.ts'
import type { LayerChange } from '../model/open-model.ts'
import { inverseDiagonal } from './algebra/inverse-diagonal.ts'
import { MatrixProducts } from './algebra/matrix-product.ts'
import type { CalibrateOptions, Calibrator } from './calibrator.ts'
import { LayerMoments } from './layer-moments.ts'

/** Saliencies that read the inputs of the dense network on the calibration samples. */
export type InputSaliencyId = Exclude<SaliencyId, 'magnitude' | 'squared'>

/** λ as a share of the mean diagonal of H, so that inputs that never vary do not count as free to lose. */
const ridge = 0.01

/**
 * Saliency rho ≥ 0 of every weight, M×K row-major, from the inputs of the layer in the dense network (SCIENCE:
 * section 3). x_j is input j over all calibration samples, positions and uses.
 * @throws AppError CANCELLED, TASK_INVALID, MODEL_UNSUPPORTED
 */
export async function inputSaliency(calibrator: Calibrator, layer: LayerInfo, kind: InputSaliencyId, options: CalibrateOptions): Promise<Float32Array> {
  const weights = calibrator.model.weights(layer.name)
  const moments = await inputMoments(calibrator, layer, options)
  const { rows, cols } = layer
  switch (kind) {
    case 'wanda':
      return scaledMagnitude(weights, cols, squareSums(moments).map(Math.sqrt))
    case 'std':
      return scaledMagnitude(weights, cols, deviations(moments))
    case 'ria':
      return relativeImportance(
        weights,
        rows,
        cols,
        squareSums(moments).map((sum) => sum ** 0.25),
      )
    case 'second-order': {
      const diagonal = await inverseDiagonal(withRidge(moments), cols, options.signal)
      return Float32Array.from(weights, (weight, i) => (weight * weight) / diagonal[i % cols]!)
    }
  }
}

async function inputMoments(calibrator: Calibrator, layer: LayerInfo, options: CalibrateOptions): Promise<LayerMoments> {
  const uses = calibrator.model.uses(layer.name)
  const moments = new LayerMoments(layer.rows, layer.cols)
  const products = await MatrixProducts.open(options.threads)
  try {
    const tensors = uses.flatMap((use) => [use.input, use.output])
    await calibrator.run([{ changes: new Map<string, LayerChange>(), tensors }], options, async ([activations]) => {
      for (const use of uses) await moments.add(products, use, activations!.get(use.input)!, activations!.get(use.output)!)
    })
  } finally {
    await products.close()
  }
  return moments
}

const squareSums = ({ gram, cols }: LayerMoments): Float64Array => Float64Array.from({ length: cols }, (_, col) => gram[col * cols + col]!)

const deviations = (moments: LayerMoments): Float64Array =>
  squareSums(moments).map((sum, col) => Math.sqrt(Math.max(0, sum / moments.count - (moments.inputSum[col]! / moments.count) ** 2)))

const scaledMagnitude = (weights: Float32Array, cols: number, scale: Float64Array): Float32Array =>
  Float32Array.from(weights, (weight, i) => Math.abs(weight) * scale[i % cols]!)

/** RIA with a = 1/2: (|w|/Σ of its column + |w|/Σ of its row)·‖x‖^½; `scale` is that power of the norm. */
function relativeImportance(weights: Float32Array, rows: number, cols: number, scale: Float64Array): Float32Array {
  const [rowSums, colSums] = [new Float64Array(rows), new Float64Array(cols)]
  weights.forEach((weight, i) => {
    rowSums[Math.floor(i / cols)] = rowSums[Math.floor(i / cols)]! + Math.abs(weight)
    colSums[i % cols] = colSums[i % cols]! + Math.abs(weight)
  })
  const share = (size: number, sum: number): number => (sum === 0 ? 0 : size / sum)
  return Float32Array.from(
    weights,
    (weight, i) => (share(Math.abs(weight), colSums[i % cols]!) + share(Math.abs(weight), rowSums[Math.floor(i / cols)]!)) * scale[i % cols]!,
  )
}

function withRidge({ gram, cols }: LayerMoments): Float64Array {
  const matrix = gram.slice()
  let trace = 0
  for (let i = 0; i < cols; i++) trace += matrix[i * cols + i]!
  const added = trace === 0 ? 1 : (ridge * trace) / cols
  for (let i = 0; i < cols; i++) matrix[i * cols + i] = matrix[i * cols + i]! + added
  return matrix
}
