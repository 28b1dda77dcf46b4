import type { LayerChange, LayerUse } from '../model/open-model.ts'
import type { Activation, CalibrateOptions, Calibrator } from './calibrator.ts'

export interface CorrectBiasOptions extends CalibrateOptions {
  /** Told once for each layer whose bias cannot be changed, in one sentence. */
  onNote?: (sentence: string) => void
  onProgress?: (done: number, total: number) => void
}

/**
 * Bias correction of pruned layers: b' = b + W·E[x_dense] − Ŵ·E[x_pruned], the expectation over calibration inputs
 * (and over positions and uses of a shared weight). Layers go in graph order, so x_pruned comes from the network
 * that is already pruned and corrected up to there. The two products are measured as mean outputs of the layer,
 * which also counts the borders of a convolution right.
 * @param changes pruned layers; what they replace besides stays
 * @returns the same changes with corrected biases
 * @throws AppError CANCELLED, TASK_INVALID or MODEL_UNSUPPORTED
 */
export async function correctBias(
  calibrator: Calibrator,
  changes: ReadonlyMap<string, LayerChange>,
  options: CorrectBiasOptions,
): Promise<Map<string, LayerChange>> {
  const { model } = calibrator
  const result = new Map(changes)
  const layers = model.info.layers.filter((layer) => changes.get(layer.name)?.weights)
  const correctable = layers.filter((layer) => {
    if (model.bias(layer.name)) return true
    options.onNote?.(`The layer "${layer.name}" has no bias of its own, so its mean output could not be corrected.`)
    return false
  })
  const uses = correctable.map((layer) => model.uses(layer.name))
  const dense = await meanOutputs(calibrator, new Map(), uses, options)
  for (const [index, layer] of correctable.entries()) {
    const change = result.get(layer.name) ?? {}
    const bias = change.bias ?? model.bias(layer.name) ?? new Float32Array(layer.rows)
    const target = dense[index] ?? new Float64Array(layer.rows)
    const [pruned] = await meanOutputs(calibrator, result, [uses[index] ?? []], options)
    result.set(layer.name, { ...change, bias: Float32Array.from(bias, (value, row) => value + (target[row] ?? 0) - (pruned?.[row] ?? 0)) })
    options.onProgress?.(index + 1, correctable.length)
  }
  return result
}

/** The mean output of every channel, for each layer given by its uses. */
async function meanOutputs(
  calibrator: Calibrator,
  changes: ReadonlyMap<string, LayerChange>,
  layers: readonly (readonly LayerUse[])[],
  options: CalibrateOptions,
): Promise<Float64Array[]> {
  const tensors = [...new Set(layers.flat().map((use) => use.output))]
  const sums = new Map<string, ChannelSums>()
  const channelAxis = new Map(layers.flat().map((use) => [use.output, use.window ? 1 : -1]))
  await calibrator.run([{ changes, tensors }], options, ([activations]) => {
    for (const [name, activation] of activations ?? []) {
      const known = sums.get(name) ?? new ChannelSums()
      known.add(activation, channelAxis.get(name) ?? -1)
      sums.set(name, known)
    }
  })
  return layers.map((uses) => pooledMean(uses.map((use) => sums.get(use.output) ?? new ChannelSums())))
}

/** Sums over everything but the channel axis, in float64. */
class ChannelSums {
  sums = new Float64Array(0)
  /** Values added to each channel. */
  count = 0

  add({ values, dims }: Activation, axis: number): void {
    const place = axis < 0 ? dims.length + axis : axis
    const channels = dims[place] ?? 1
    const inner = dims.slice(place + 1).reduce((product, size) => product * size, 1)
    if (this.sums.length === 0) this.sums = new Float64Array(channels)
    for (let start = 0, channel = 0; start < values.length; start += inner, channel = (channel + 1) % channels) {
      let sum = 0
      for (let i = start; i < start + inner; i++) sum += values[i] ?? 0
      this.sums[channel] = (this.sums[channel] ?? 0) + sum
    }
    this.count += values.length / channels
  }
}

function pooledMean(parts: readonly ChannelSums[]): Float64Array {
  const count = parts.reduce((sum, part) => sum + part.count, 0)
  return Float64Array.from(parts[0]?.sums ?? [], (_, channel) => parts.reduce((sum, part) => sum + (part.sums[channel] ?? 0), 0) / count)
}
