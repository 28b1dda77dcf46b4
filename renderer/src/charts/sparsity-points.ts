import type { CaseRecord } from '../../../contract/case.ts'
import { caseLabel } from '../../../contract/case-label.ts'
import type { MetricId } from '../../../contract/metric.ts'
import { patternName, vectorOf } from '../../../contract/pattern.ts'
import type { StrategyId } from '../../../contract/strategy.ts'

/** One case on the chart: what was achieved and what it gave. */
export interface SparsityPoint {
  caseId: number
  model: string
  label: string
  /** Pattern and height: points of one family at several sparsities belong to one line. */
  family: string
  /** Null for dense, where nothing is permuted. */
  strategy: StrategyId | null
  /** Per cent, counted from the mask. */
  sparsity: number
  /** Per cent. */
  value: number
}

/** The cases that have both numbers, in per cent. A case without one of them is not drawn, never drawn at 0. */
export function sparsityPoints(cases: readonly CaseRecord[], metric: MetricId): SparsityPoint[] {
  return cases.flatMap((record) => {
    const measured = record.result?.metrics[metric]
    const value = measured?.value ?? null
    const sparsity = record.result?.sparsityAchieved ?? null
    if (record.status !== 'done' || sparsity === null || value === null) return []
    const vector = vectorOf(record.spec.pattern)
    const dense = record.spec.pattern.kind === 'dense'
    return [
      {
        caseId: record.id,
        model: record.spec.model,
        label: caseLabel(record.spec),
        family: vector === null ? patternName(record.spec.pattern) : `${patternName(record.spec.pattern)} V ${vector}`,
        strategy: dense ? null : record.spec.strategy,
        sparsity,
        value: measured?.unit === 'ratio' ? value * 100 : value,
      },
    ]
  })
}
