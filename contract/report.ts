import * as v from 'valibot'
import { CaseStatus } from './case.ts'
import { Environment } from './environment.ts'
import { MetricValue } from './metric.ts'

/**
 * What `--json` prints, the same for every command: one object with one row a case and, below a whole-model case,
 * one row a layer. Sparsities are per cent.
 */
export const ReportCase = v.object({
  model: v.string(),
  layer: v.nullable(v.string()),
  pattern: v.string(),
  sparsityAsked: v.number(),
  sparsityAchieved: v.nullable(v.number()),
  vector: v.nullable(v.number()),
  strategy: v.string(),
  saliency: v.string(),
  correction: v.string(),
  seed: v.number(),
  status: CaseStatus,
  reason: v.nullable(v.string()),
  notes: v.array(v.string()),
  metrics: v.record(v.string(), MetricValue),
})
export type ReportCase = v.InferOutput<typeof ReportCase>

export const Report = v.object({
  schema: v.literal('hinm-report/1'),
  runId: v.nullable(v.number()),
  environment: Environment,
  cases: v.array(ReportCase),
})
export type Report = v.InferOutput<typeof Report>
