import * as v from 'valibot'
import { Metrics } from './metric.ts'
import { Pattern } from './pattern.ts'
import { CorrectionId, SaliencyId } from './saliency.ts'
import { StrategyId } from './strategy.ts'

/** One case: the unit of work, of failure and of saving. `layer` null means the whole model. */
export const CaseSpec = v.object({
  model: v.string(),
  layer: v.nullable(v.string()),
  pattern: Pattern,
  strategy: StrategyId,
  saliency: SaliencyId,
  correction: CorrectionId,
  seed: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER)),
  /** Candidate evaluations that the search may spend on a layer; null takes the strategy's own stopping rule. */
  budget: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1))),
})
export type CaseSpec = v.InferOutput<typeof CaseSpec>

export const caseStatuses = ['planned', 'running', 'done', 'failed', 'refused', 'cancelled'] as const
export const CaseStatus = v.picklist(caseStatuses)
export type CaseStatus = v.InferOutput<typeof CaseStatus>

/** What became of one layer inside a case. A layer may be refused (left dense) while its case is done. */
export const LayerResult = v.object({
  layer: v.string(),
  /** M, output channels, and K, input channels (times the kernel window) of the GEMM view. */
  rows: v.number(),
  cols: v.number(),
  status: CaseStatus,
  reason: v.nullable(v.string()),
  /** Share of pruned weights in per cent, counted from the mask; 0 for a layer left dense. */
  sparsityAchieved: v.nullable(v.number()),
  metrics: Metrics,
})
export type LayerResult = v.InferOutput<typeof LayerResult>

/**
 * Raw samples behind one number, in the unit of its metric. For the number that judges a task: the loss of every
 * evaluated sample where it has one, else 1 where the sample was right and 0 where not.
 */
export const SampleSet = v.object({
  layer: v.nullable(v.string()),
  metric: v.string(),
  values: v.array(v.number()),
})
export type SampleSet = v.InferOutput<typeof SampleSet>

export const CaseResult = v.object({
  status: CaseStatus,
  reason: v.nullable(v.string()),
  sparsityAchieved: v.nullable(v.number()),
  metrics: Metrics,
  layers: v.array(LayerResult),
  samples: v.array(SampleSet),
  /** Wall seconds that the whole case took. */
  seconds: v.number(),
  /** Facts that a reader should know, one sentence each. */
  notes: v.array(v.string()),
})
export type CaseResult = v.InferOutput<typeof CaseResult>

/** A case as the history shows it. */
export const CaseRecord = v.object({
  id: v.number(),
  index: v.number(),
  spec: CaseSpec,
  /** Null until the case has come to an end, and for a case that was refused before it began. Its `samples` are empty here: ask for them by case. */
  result: v.nullable(CaseResult),
  status: CaseStatus,
  /** Why it was refused, failed or stopped. */
  reason: v.nullable(v.string()),
  /** SHA-256 of the model file that the case was planned for. */
  modelHash: v.nullable(v.string()),
})
export type CaseRecord = v.InferOutput<typeof CaseRecord>
