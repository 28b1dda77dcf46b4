import type { CaseRecord } from '../../../contract/case.ts'
import { caseLabel } from '../../../contract/case-label.ts'
import { metricInfo, type MetricId } from '../../../contract/metric.ts'
import { patternName, vectorOf } from '../../../contract/pattern.ts'
import { corrections, saliencies } from '../../../contract/saliency.ts'
import type { StrategyId } from '../../../contract/strategy.ts'

/** One case on the chart: what was achieved and what it gave. */
export interface SparsityPoint {
  caseId: number
  model: string
  label: string
  /** Pattern and height: points of one family at several sparsities belong to one line. */
  family: string
  /** What else tells cases of one family and strategy apart: saliency, correction, seed. */
  variant: string
  /** Null for dense, where nothing is permuted. */
  strategy: StrategyId | null
  /** Per cent, counted from the mask. */
  sparsity: number
  metric: MetricId
  /** In the unit of the metric, a ratio that is shown in per cent as such. */
  value: number
}

/** The cases that have both numbers. A case without one of them is not drawn, never drawn at 0. */
export function sparsityPoints(cases: readonly CaseRecord[], metricOf: (record: CaseRecord) => MetricId | null): SparsityPoint[] {
  return cases.flatMap((record) => {
    const metric = metricOf(record)
    const measured = metric === null ? undefined : record.result?.metrics[metric]
    const value = measured?.value ?? null
    const sparsity = record.result?.sparsityAchieved ?? null
    if (metric === null || record.status !== 'done' || sparsity === null || value === null) return []
    const vector = vectorOf(record.spec.pattern)
    const dense = record.spec.pattern.kind === 'dense'
    return [
      {
        caseId: record.id,
        model: record.spec.model,
        label: caseLabel(record.spec),
        family: vector === null ? patternName(record.spec.pattern) : `${patternName(record.spec.pattern)} V ${vector}`,
        variant: dense ? '' : variantOf(record),
        strategy: dense ? null : record.spec.strategy,
        sparsity,
        metric,
        value: metricInfo(metric).asPercent ? value * 100 : value,
      },
    ]
  })
}

/** Saliency, correction and seed in words. */
export function variantOf(record: CaseRecord): string {
  const { saliency, correction, seed } = record.spec
  return `${saliencies.find((candidate) => candidate.id === saliency)?.label ?? saliency}, ${corrections.find((candidate) => candidate.id === correction)?.label ?? correction}, seed ${seed}`
}
