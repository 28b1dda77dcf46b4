import * as v from 'valibot'

/** Units as written beside a number. `ratio` is a pure number; a share of saliency is shown in per cent on screen. */
export const Unit = v.picklist(['ratio', '%', 'ms', 's', 'bytes', 'count', 'GFLOP/s', 'GB/s', '×', 'nats', 'J'])
export type Unit = v.InferOutput<typeof Unit>

export interface MetricInfo {
  id: string
  label: string
  unit: Unit
  /** Which way is better; `neither` for descriptions such as a count. */
  direction: 'up' | 'down' | 'neither'
  /** Digits after the point on screen; files carry the full number. */
  digits: number
  /** Show a ratio as a percentage. */
  asPercent?: boolean
  /** What the number is and how it was got, in one sentence, shown on demand. */
  meaning: string
}

/** Every number that a result may carry. Screens and exports read this and nothing else. */
export const metrics = [
  {
    id: 'saliency.retained',
    label: 'Retained saliency',
    unit: 'ratio',
    direction: 'up',
    digits: 2,
    asPercent: true,
    meaning: 'R = saliency of the kept weights over the saliency of all weights, summed over the pruned layers in float64.',
  },
  {
    id: 'saliency.relative',
    label: 'Relative to unstructured',
    unit: 'ratio',
    direction: 'up',
    digits: 2,
    asPercent: true,
    meaning: 'RR = R over the retained saliency of the best unstructured mask that keeps the same number of weights; at most 100 %.',
  },
  {
    id: 'saliency.vector',
    label: 'Vector-level saliency',
    unit: 'ratio',
    direction: 'up',
    digits: 2,
    asPercent: true,
    meaning: 'R_vec = saliency inside the kept column vectors over all saliency, before n:m.',
  },
  {
    id: 'saliency.efficacy',
    label: 'Efficacy',
    unit: 'ratio',
    direction: 'up',
    digits: 2,
    asPercent: true,
    meaning: '(kept − kept without permutation) / (row-wise bound inside the kept columns − kept without permutation); not defined when the denominator is 0.',
  },
  {
    id: 'accuracy.top1',
    label: 'Top-1 accuracy',
    unit: '%',
    direction: 'up',
    digits: 2,
    meaning: 'Share of the evaluated samples whose largest output is the label.',
  },
  {
    id: 'accuracy.top5',
    label: 'Top-5 accuracy',
    unit: '%',
    direction: 'up',
    digits: 2,
    meaning: 'Share of the evaluated samples whose label is among the five largest outputs.',
  },
  {
    id: 'accuracy.word',
    label: 'Word accuracy',
    unit: '%',
    direction: 'up',
    digits: 2,
    meaning: 'Share of the evaluated samples whose whole sequence is right: a word, a line, a pronunciation.',
  },
  {
    id: 'accuracy.character',
    label: 'Character accuracy',
    unit: '%',
    direction: 'up',
    digits: 2,
    meaning: '1 − edit distance / length over all evaluated samples, in characters or other symbols; never below 0.',
  },
  {
    id: 'accuracy.centroid',
    label: 'Nearest-centroid accuracy',
    unit: '%',
    direction: 'up',
    digits: 2,
    meaning: 'Share of the evaluated samples whose output is nearest, by dot product, to the mean output of the support samples of its class.',
  },
  {
    id: 'loss.perplexity',
    label: 'Perplexity',
    unit: 'ratio',
    direction: 'down',
    digits: 3,
    meaning: 'exp of the mean cross-entropy of the next token over all evaluated positions.',
  },
  {
    id: 'loss.mse',
    label: 'Mean squared error',
    unit: 'ratio',
    direction: 'down',
    digits: 6,
    meaning: 'Mean of the squared differences between outputs and labels, over all values of the evaluated samples.',
  },
  {
    id: 'accuracy.samples',
    label: 'Samples',
    unit: 'count',
    direction: 'neither',
    digits: 0,
    meaning: 'Labelled samples that were evaluated; calibration samples are never among them.',
  },
  {
    id: 'kernel.time',
    label: 'Kernel time',
    unit: 'ms',
    direction: 'down',
    digits: 3,
    meaning:
      'Median time of the packed sparse products of all layers, each at the number of activation columns of the run; layers without a sparse kernel count their dense time.',
  },
  {
    id: 'kernel.dense_time',
    label: 'Dense time',
    unit: 'ms',
    direction: 'down',
    digits: 3,
    meaning: 'Median time of the fastest dense baseline for the same products, interleaved with the sparse samples in the same run.',
  },
  {
    id: 'kernel.speedup',
    label: 'Speed-up',
    unit: '×',
    direction: 'up',
    digits: 2,
    meaning: 'Dense time over kernel time of the same run; below 1 is slower.',
  },
  {
    id: 'kernel.error',
    label: 'Product error',
    unit: 'ratio',
    direction: 'down',
    digits: 9,
    meaning: '‖Y − Y_ref‖/‖Y_ref‖ of the packed product against dense (W∘mask)·X in float64.',
  },
  {
    id: 'size.packed',
    label: 'Packed size',
    unit: 'bytes',
    direction: 'down',
    digits: 0,
    meaning: 'Bytes of the packed layers: values, metadata, column lists, row list and padding.',
  },
  { id: 'size.dense', label: 'Dense size', unit: 'bytes', direction: 'neither', digits: 0, meaning: 'Bytes of the same layers stored dense.' },
  {
    id: 'search.evaluations',
    label: 'Evaluations',
    unit: 'count',
    direction: 'neither',
    digits: 0,
    meaning: 'Candidate evaluations that the permutation search spent; the budget counts these, never seconds.',
  },
  {
    id: 'search.time',
    label: 'Search time',
    unit: 's',
    direction: 'down',
    digits: 3,
    meaning: 'Wall time of the permutation search, a one-time cost that is never mixed into kernel time.',
  },
  {
    id: 'mask.kept',
    label: 'Kept weights',
    unit: 'count',
    direction: 'neither',
    digits: 0,
    meaning: 'Weights that the mask keeps, counted from the mask itself.',
  },
] as const satisfies readonly MetricInfo[]

export type MetricId = (typeof metrics)[number]['id']
export const metricIds = metrics.map((metric) => metric.id)
export const MetricIdSchema = v.picklist(metricIds)

const byId = new Map<string, MetricInfo>(metrics.map((metric) => [metric.id, metric]))

export function metricInfo(id: MetricId): MetricInfo {
  const info = byId.get(id)
  if (!info) throw new Error(`metric ${id} is not in the registry`)
  return info
}

/** A number with its unit; null where there is none, and then `reason` says why. Never NaN: JSON has no such value. */
export const MetricValue = v.object({
  value: v.nullable(v.number()),
  unit: Unit,
  reason: v.optional(v.string()),
})
export type MetricValue = v.InferOutput<typeof MetricValue>

export const Metrics = v.record(MetricIdSchema, MetricValue)
export type Metrics = Partial<Record<MetricId, MetricValue>>

/** A registry value; a number that is not finite becomes null with a reason. */
export function metric(id: MetricId, value: number | null, reason?: string): MetricValue {
  const { unit } = metricInfo(id)
  if (value !== null && Number.isFinite(value)) return { value, unit }
  return { value: null, unit, reason: reason ?? (value === null ? 'not measured' : `the result was ${value}`) }
}
