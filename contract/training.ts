import * as v from 'valibot'

/** The labs (TRAINING: section 3). What each holds is defined in core/training/labs.ts. */
export const labs = [
  {
    id: 'lab-a',
    label: 'Lab A: teacher and student',
    meaning: 'a small network learns another one from fresh random inputs; seconds, no data file',
    unit: 'normalised test MSE',
  },
  {
    id: 'lab-b',
    label: 'Lab B: characters',
    meaning: 'a two-layer transformer learns a text character by character; only its feed-forward weights are sparse',
    unit: 'nats',
  },
  { id: 'lab-c', label: 'Lab C: images', meaning: 'a classifier of labelled images with masks from outside; its weights can be deployed', unit: 'nats' },
] as const
export const LabId = v.picklist(labs.map((lab) => lab.id))
export type LabId = v.InferOutput<typeof LabId>

export interface TrainingMethodInfo {
  id: string
  label: string
  meaning: string
  source: string
}

/** Everything that can be trained side by side. */
export const trainingMethods = [
  { id: 'dense', label: 'dense', meaning: 'every weight is trained and kept', source: '' },
  { id: 'half-width', label: 'half width', meaning: 'a dense network with half the hidden units: as many products as 2 of 4', source: '' },
  { id: 'dense-twice', label: 'dense, twice', meaning: 'the dense schedule, then the whole schedule again', source: '2:4, arXiv 2104.08378' },
  { id: 's-ste', label: 'S-STE', meaning: 'soft threshold, scaled by a β that is frozen after initialisation', source: 'S-STE, arXiv 2409.09099, section 4' },
  { id: 's-ste-dynamic', label: 'S-STE, β each step', meaning: 'β computed anew from the weights of every step', source: 'S-STE, section 4.3' },
  { id: 's-ste-one', label: 'S-STE, β = 1', meaning: 'soft threshold without its scale', source: 'S-STE, section 4.3' },
  { id: 'ste', label: 'STE', meaning: 'hard threshold, gradient straight through', source: 'arXiv 2102.04010' },
  { id: 'sr-ste-2e-4', label: 'SR-STE 2e-4', meaning: 'STE with decay 2e-4 on pruned weights, the published default', source: 'arXiv 2102.04010' },
  { id: 'sr-ste-2e-3', label: 'SR-STE 2e-3', meaning: 'STE with decay 2e-3 on pruned weights', source: 'arXiv 2102.04010' },
  { id: 'sr-ste-2e-2', label: 'SR-STE 2e-2', meaning: 'STE with decay 2e-2 on pruned weights', source: 'arXiv 2102.04010' },
  { id: 'sr-ste-weight', label: 'SR-STE 2e-2 on the weight', meaning: 'the decay beside the optimizer instead of in the gradient', source: 'arXiv 2102.04010' },
  { id: 'mvue-exact', label: 'S-STE + MVUE exact', meaning: 'gradients sparsified 2 of 4, unbiased, least variance', source: 'S-STE, section 5.1' },
  { id: 'mvue-approximate', label: 'S-STE + MVUE', meaning: 'gradients sparsified by two draws, as the authors run it', source: 'arXiv 2203.10991' },
  { id: 'mvue-greedy', label: 'S-STE + top-2 gradient', meaning: 'the two largest gradients of four, biased', source: 'ablation' },
  {
    id: 'mvue-weights',
    label: 'S-STE + MVUE on weights',
    meaning: 'the weight of the input gradient sampled 2 of 4, so that this product is sparse too',
    source: 'ablation',
  },
  { id: 'fp8', label: 'S-STE + MVUE + FP8', meaning: 'operands rounded to e4m3 forward and e5m2 backward, saturating', source: 'S-STE, section 5.2' },
  { id: 'transposable', label: 'transposable', meaning: '4×4 masks that serve both products, a dense last sixth', source: 'arXiv 2404.01847' },
  { id: 'prune-once', label: 'pruned, not retrained', meaning: 'the dense network pruned by magnitude, as it is', source: '2:4, arXiv 2104.08378' },
  {
    id: 'prune-retrain',
    label: 'pruned and retrained',
    meaning: 'pruned by magnitude, then the whole schedule again with the mask frozen',
    source: '2:4, arXiv 2104.08378',
  },
  { id: 'decaying-mask', label: 'decaying mask', meaning: 'pruned weights fade out over the first half', source: 'arXiv 2209.07617' },
  { id: 'step', label: 'STEP', meaning: 'dense Adam first, then masks with a frozen second moment', source: 'arXiv 2302.01172' },
  { id: 'bi-mask', label: 'Bi-Mask', meaning: 'a second mask for the gradient of the inputs', source: 'arXiv 2302.06058' },
  { id: 'top-kast', label: 'Top-KAST', meaning: 'unstructured: half of the weights forward, three quarters backward', source: 'arXiv 2106.03517' },
  { id: 'powerpropagation', label: 'Powerpropagation', meaning: 'w = φ|φ|, pruned hard', source: 'arXiv 2110.00296' },
  { id: 'lbc', label: 'LBC', meaning: 'the best of the six masks of a group, learned and dropped one after another', source: 'arXiv 2206.06662' },
  { id: 'mask-llm', label: 'MaskLLM', meaning: 'a Gumbel-softmax choice among the six masks of a group', source: 'arXiv 2409.17481' },
] as const satisfies readonly TrainingMethodInfo[]
export const trainingMethodIds = trainingMethods.map((method) => method.id)
export const TrainingMethodId = v.picklist(
  trainingMethodIds,
  (issue) => `The method ${issue.received} is not known; choose among ${trainingMethodIds.join(', ')}.`,
)
export type TrainingMethodId = v.InferOutput<typeof TrainingMethodId>

const whole = (least: number, most: number, what: string) =>
  v.pipe(
    v.number(),
    v.check(
      (value) => Number.isInteger(value) && value >= least && value <= most,
      (issue) => `${what} of ${String(issue.input)} is out of range; choose a whole number from ${least} to ${most}.`,
    ),
  )

export const TrainingSpec = v.object({
  lab: LabId,
  methods: v.pipe(v.array(TrainingMethodId), v.minLength(1, 'Choose at least one method.')),
  /** n, fixed before looking: seeds 0 … n − 1 are trained with every method. */
  seeds: v.optional(whole(1, 100, 'A number of seeds')),
  /** Steps of a run; the lab's own where it is not given. */
  steps: v.optional(whole(1, 10_000_000, 'A number of steps')),
  /** The method that the others are compared with. */
  reference: v.optional(TrainingMethodId, 's-ste'),
  /** Steps between two diagnoses; 0 makes none. */
  diagnoseEvery: v.optional(whole(0, 100_000, 'An interval'), 10),
  threads: v.optional(whole(1, 1024, 'A number of threads'), 1),
})
export type TrainingSpec = v.InferOutput<typeof TrainingSpec>
export type TrainingRequest = v.InferInput<typeof TrainingSpec>

/** A stretch of a run's curves. Losses are means over `lossEvery` steps; the diagnoses are columns of equal length. */
export const CurvePiece = v.object({
  /** Step of each loss: the last of its stretch. */
  lossSteps: v.array(v.number()),
  losses: v.array(v.number()),
  steps: v.array(v.number()),
  /** ΔF₁ and ΔF₂: positive when the loss fell. */
  actual: v.array(v.number()),
  frozen: v.array(v.number()),
  predictedSparse: v.array(v.number()),
  predictedDense: v.array(v.number()),
  flipRate: v.array(v.number()),
  samplerBias: v.array(v.number()),
  samplerVariance: v.array(v.number()),
  saturated: v.array(v.number()),
  underflowed: v.array(v.number()),
  /** One list a diagnosis, one entry a prunable layer. */
  scale: v.array(v.array(v.number())),
  scaleNow: v.array(v.array(v.number())),
  normShare: v.array(v.array(v.number())),
  shortGroups: v.array(v.array(v.number())),
})
export type CurvePiece = v.InferOutput<typeof CurvePiece>

/** A figure that may not exist: JSON has no NaN. */
const Figure = v.nullable(v.number())

/** What one method came to with one seed. */
export const TrainingRunSummary = v.object({
  method: TrainingMethodId,
  seed: v.number(),
  /** Held-out loss in the lab's unit. */
  loss: Figure,
  /** Share of correct labels; null where the lab has none. */
  accuracy: Figure,
  /** Why there is no loss: diverged, refused, cancelled. */
  failure: v.nullable(v.string()),
  /** Mean flip rate over the diagnoses of the first and of the last 100 steps, and the largest. */
  flipsFirst: Figure,
  flipsLast: Figure,
  flipsPeak: Figure,
  /** Share of diagnosed steps with ΔF₁ < 0 while ΔF₂ > 0. */
  wrongDirection: Figure,
  /** Correlation and relative mean absolute error of predicted (sparse difference) against actual descent. */
  correlation: Figure,
  relativeError: Figure,
  /** β of each prunable layer at the end. */
  scales: v.array(v.number()),
  seconds: v.number(),
  /** Of these, seconds that the diagnoses took. */
  diagnosticSeconds: v.number(),
})
export type TrainingRunSummary = v.InferOutput<typeof TrainingRunSummary>

/** Mean and standard deviation over the seeds that ended. */
export const MethodSummary = v.object({
  method: TrainingMethodId,
  seeds: v.number(),
  loss: Figure,
  lossDeviation: Figure,
  accuracy: Figure,
  accuracyDeviation: Figure,
  flipsLast: Figure,
  wrongDirection: Figure,
  correlation: Figure,
})
export type MethodSummary = v.InferOutput<typeof MethodSummary>

/**
 * `confirmed` only if the 95 % t-interval of the paired difference excludes 0 on the claimed side, `opposite` if it
 * excludes it on the other, else `not-decidable`. `measured` where nothing is claimed.
 */
const verdicts = ['confirmed', 'opposite', 'not-decidable', 'measured'] as const

export const PairedDifference = v.object({
  method: TrainingMethodId,
  reference: TrainingMethodId,
  /** Loss of the method minus loss of the reference, paired by seed. */
  mean: Figure,
  /** Half width of the 95 % t-interval; null for fewer than two pairs. */
  half: Figure,
  pairs: v.number(),
  /** Pairs in which the method's loss is the higher one. */
  higher: v.number(),
  /** What the paper says of the difference's sign; null where it says nothing. */
  claim: v.nullable(v.picklist(['higher', 'lower'])),
  verdict: v.picklist(verdicts),
  /** Whether all planned seeds are in; n was fixed before, so a verdict on fewer is only provisional. */
  complete: v.boolean(),
})
export type PairedDifference = v.InferOutput<typeof PairedDifference>

export const TrainingResult = v.object({
  schema: v.literal('hinm-training/1'),
  lab: LabId,
  unit: v.string(),
  steps: v.number(),
  plannedSeeds: v.number(),
  runs: v.array(TrainingRunSummary),
  methods: v.array(MethodSummary),
  differences: v.array(PairedDifference),
  /** How many intervals were looked at: with 20 of them one excludes 0 by chance. */
  comparisons: v.number(),
  /** Facts that a reader should know, one sentence each. */
  notes: v.array(v.string()),
})
export type TrainingResult = v.InferOutput<typeof TrainingResult>

export const TrainingEvent = v.variant('type', [
  v.object({ type: v.literal('started'), runs: v.number(), steps: v.number() }),
  v.object({ type: v.literal('run-started'), method: TrainingMethodId, seed: v.number() }),
  v.object({ type: v.literal('curves'), method: TrainingMethodId, seed: v.number(), phase: v.string(), step: v.number(), total: v.number(), news: CurvePiece }),
  v.object({ type: v.literal('run-finished'), run: TrainingRunSummary, result: TrainingResult }),
  v.object({ type: v.literal('ended'), status: v.picklist(['done', 'cancelled']), result: TrainingResult }),
])
export type TrainingEvent = v.InferOutput<typeof TrainingEvent>
