import type { CaseRecord, CaseResult } from '../../../contract/case.ts'
import { metricIds, type MetricId } from '../../../contract/metric.ts'

/** The metrics that judge a network, in the order of the registry: every accuracy and loss, but no count of samples. */
const qualityMetrics = metricIds.filter((id) => /^(?:accuracy|loss)\./.test(id) && id !== 'accuracy.samples')

/** The number that judges a result: each task brings its own. Null where none was recorded. */
export const qualityOf = (result: Pick<CaseResult, 'metrics'> | null): MetricId | null => qualityMetrics.find((id) => result?.metrics[id] !== undefined) ?? null

/** The judging metrics of several cases, each once, in the order of the registry. */
export const qualitiesOf = (cases: readonly CaseRecord[]): MetricId[] => {
  const found = new Set(cases.map((record) => qualityOf(record.result)))
  return qualityMetrics.filter((id) => found.has(id))
}
