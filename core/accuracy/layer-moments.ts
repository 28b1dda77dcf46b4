import type { LayerUse } from '../model/open-model.ts'
import type { Matrix, MatrixProducts } from './algebra/matrix-product.ts'
import type { Activation } from './calibrator.ts'
import { inputRows, outputRows } from './layer-rows.ts'

/**
 * Sums over calibration rows x (K inputs) and y (M outputs) of one layer, pooled over all uses of a shared weight:
 * what a least-squares fit of y by x needs. Rows are multiplied in float32 a batch at a time and added in float64.
 */
export class LayerMoments {
  readonly rows: number
  readonly cols: number
  /** Σ x xᵀ, K×K. */
  readonly gram: Float64Array
  /** Σ y xᵀ, M×K. */
  readonly cross: Float64Array
  /** Σ x. */
  readonly inputSum: Float64Array
  /** Σ y. */
  readonly outputSum: Float64Array
  /** Rows added. */
  count = 0

  /** @param rows M, @param cols K */
  constructor(rows: number, cols: number) {
    this.rows = rows
    this.cols = cols
    this.gram = new Float64Array(cols * cols)
    this.cross = new Float64Array(rows * cols)
    this.inputSum = new Float64Array(cols)
    this.outputSum = new Float64Array(rows)
  }

  /** Adds one use in one batch: its input and the output to be met, which may come from another variant of the model. */
  async add(products: MatrixProducts, use: LayerUse, input: Activation, output: Activation): Promise<void> {
    const x = inputRows(input, use, output.dims)
    const y = outputRows(output, use)
    addTo(this.gram, await products.transposeMultiply(x, x))
    addTo(this.cross, await products.transposeMultiply(y, x))
    addColumnSums(this.inputSum, x)
    addColumnSums(this.outputSum, y)
    this.count += x.rows
  }
}

function addTo(sums: Float64Array, values: Float32Array): void {
  for (let i = 0; i < sums.length; i++) sums[i] = (sums[i] ?? 0) + (values[i] ?? 0)
}

function addColumnSums(sums: Float64Array, { values, rows, cols }: Matrix): void {
  for (let row = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++) sums[col] = (sums[col] ?? 0) + (values[row * cols + col] ?? 0)
  }
}
