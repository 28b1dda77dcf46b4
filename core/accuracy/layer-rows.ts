import { AppError } from '../../contract/error.ts'
import type { LayerUse } from '../model/open-model.ts'
import type { Matrix } from './algebra/matrix-product.ts'
import type { Activation } from './calibrator.ts'

const sizeOf = (dims: readonly number[]): number => dims.reduce((product, size) => product * size, 1)

/**
 * The inputs of a layer's GEMM as rows of K: one row a sample and position. A convolution is unrolled into its
 * windows with the channels innermost (im2col, the order of model/gemm-view.ts), zeros at the border.
 * @param output dims of what the use writes, which say how many positions a convolution has
 */
export function inputRows(input: Activation, use: LayerUse, output: readonly number[]): Matrix {
  if (use.window) return windowRows(input, use, output)
  const cols = input.dims.at(-1) ?? 1
  return { values: input.values, rows: input.values.length / cols, cols }
}

/** The outputs of the same GEMM as rows of M, in the order of `inputRows`. */
export function outputRows(output: Activation, use: LayerUse): Matrix {
  if (!use.window) {
    const cols = output.dims.at(-1) ?? 1
    return { values: output.values, rows: output.values.length / cols, cols }
  }
  const [batch = 1, channels = 1, ...window] = output.dims
  const positions = sizeOf(window)
  const values = new Float32Array(output.values.length)
  for (let sample = 0; sample < batch; sample++) {
    for (let channel = 0; channel < channels; channel++) {
      const from = (sample * channels + channel) * positions
      for (let position = 0; position < positions; position++)
        values[(sample * positions + position) * channels + channel] = output.values[from + position] ?? 0
    }
  }
  return { values, rows: batch * positions, cols: channels }
}

/** One spatial axis of a convolution. */
interface Axis {
  size: number
  kernel: number
  stride: number
  dilation: number
  padding: number
  positions: number
}

function windowRows(input: Activation, use: LayerUse, output: readonly number[]): Matrix {
  const [batch = 1, channels = 1, ...spatial] = input.dims
  const axes = spatialAxes(spatial, output.slice(2), use)
  const [height, width] = axes as [Axis, Axis]
  const cols = height.kernel * width.kernel * channels
  const rows = batch * height.positions * width.positions
  const values = new Float32Array(rows * cols)
  const plane = height.size * width.size
  for (let sample = 0, to = 0; sample < batch; sample++) {
    for (let oy = 0; oy < height.positions; oy++) {
      for (let ox = 0; ox < width.positions; ox++) {
        for (let ky = 0; ky < height.kernel; ky++) {
          for (let kx = 0; kx < width.kernel; kx++, to += channels) {
            const y = oy * height.stride + ky * height.dilation - height.padding
            const x = ox * width.stride + kx * width.dilation - width.padding
            if (y < 0 || x < 0 || y >= height.size || x >= width.size) continue
            const from = sample * channels * plane + y * width.size + x
            for (let channel = 0; channel < channels; channel++) values[to + channel] = input.values[from + channel * plane] ?? 0
          }
        }
      }
    }
  }
  return { values, rows, cols }
}

/** Height and width; a convolution over one axis has a height of 1. */
function spatialAxes(sizes: readonly number[], positions: readonly number[], use: LayerUse): Axis[] {
  const { kernel, strides, pads, dilations, autoPad } = use.window ?? { kernel: [], strides: [], pads: [], dilations: [], autoPad: '' }
  if (sizes.length > 2 || sizes.length === 0) {
    throw new AppError('MODEL_UNSUPPORTED', `The convolution ${use.node} runs over ${sizes.length} axes; calibration reads convolutions over one or two.`)
  }
  const axes = sizes.map((size, i): Axis => {
    const axis = { size, kernel: kernel[i] ?? 1, stride: strides[i] ?? 1, dilation: dilations[i] ?? 1, padding: pads[i] ?? 0, positions: positions[i] ?? 1 }
    if (!autoPad.startsWith('SAME')) return axis
    const total = Math.max(0, (axis.positions - 1) * axis.stride + (axis.kernel - 1) * axis.dilation + 1 - size)
    return { ...axis, padding: autoPad === 'SAME_LOWER' ? Math.ceil(total / 2) : Math.floor(total / 2) }
  })
  return axes.length === 2 ? axes : [{ size: 1, kernel: 1, stride: 1, dilation: 1, padding: 0, positions: 1 }, ...axes]
}
