import { metric, type Metrics } from '../../contract/metric.ts'
import { kernelMetrics, type LayerOutcome } from './prune-layer.ts'

/**
 * The figures of a whole model from those of its layers. Saliency, kept weights and search are summed over the pruned
 * layers; times and sizes over all layers that could be pruned, those left dense with their dense time and size.
 */
export function wholeModelMetrics(outcomes: readonly LayerOutcome[]): Metrics {
  const pruned = outcomes.filter(({ result }) => result.status === 'done')
  const sum = (from: readonly LayerOutcome[], of: (outcome: LayerOutcome) => number): number => from.reduce((total, outcome) => total + of(outcome), 0)
  const value = (outcome: LayerOutcome, id: keyof Metrics): number => outcome.result.metrics[id]?.value ?? NaN
  const total = sum(pruned, ({ quality }) => quality.totalSaliency)
  const kept = sum(pruned, ({ quality }) => quality.keptSaliency)
  // RR = kept over the best unstructured mask of the same size, so that mask keeps kept/RR.
  const unstructured = sum(pruned, ({ quality }) => (quality.keptSaliency === 0 ? 0 : quality.keptSaliency / quality.relative))
  const vectors = pruned.every(({ quality }) => quality.vector !== null)
    ? sum(pruned, ({ quality }) => (quality.vector ?? 0) * quality.totalSaliency) / total
    : null
  const nothing = 'every saliency is zero'
  return {
    'saliency.retained': metric('saliency.retained', kept / total, total === 0 ? nothing : undefined),
    'saliency.relative': metric('saliency.relative', kept / unstructured, unstructured === 0 ? nothing : undefined),
    'saliency.vector': metric('saliency.vector', vectors, 'the pattern has no vector level'),
    'mask.kept': metric(
      'mask.kept',
      sum(pruned, (outcome) => value(outcome, 'mask.kept')),
    ),
    'search.evaluations': metric(
      'search.evaluations',
      sum(pruned, (outcome) => value(outcome, 'search.evaluations')),
    ),
    'search.time': metric(
      'search.time',
      sum(pruned, (outcome) => value(outcome, 'search.time')),
    ),
    'size.packed': metric(
      'size.packed',
      sum(outcomes, (outcome) => value(outcome, 'size.packed')),
    ),
    'size.dense': metric(
      'size.dense',
      sum(outcomes, (outcome) => value(outcome, 'size.dense')),
    ),
    'kernel.error': metric('kernel.error', Math.max(...outcomes.map((outcome) => value(outcome, 'kernel.error')))),
    ...kernelMetrics(wholeTiming(outcomes)),
  }
}

function wholeTiming(outcomes: readonly LayerOutcome[]): { kernel: number; dense: number } | null {
  let kernel = 0
  let dense = 0
  for (const { timing } of outcomes) {
    if (!timing) return null
    kernel += timing.kernel
    dense += timing.dense
  }
  return { kernel, dense }
}

/** Share of pruned weights in per cent, counted from the masks of the pruned layers. */
export function achievedSparsity(outcomes: readonly LayerOutcome[]): number {
  const pruned = outcomes.filter(({ result }) => result.status === 'done')
  const weights = pruned.reduce((sum, { result }) => sum + result.rows * result.cols, 0)
  const kept = pruned.reduce((sum, { quality }) => sum + quality.kept, 0)
  return weights === 0 ? 0 : (1 - kept / weights) * 100
}
