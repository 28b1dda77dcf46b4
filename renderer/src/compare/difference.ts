import { metricInfo, type MetricId } from '../../../contract/metric.ts'
import { fixed } from '../format/number.ts'

export interface Difference {
  text: string
  /** By the registry's direction; `neither` where there is no better. */
  verdict: 'better' | 'worse' | 'equal' | 'neither'
}

/**
 * A number against the baseline's: percentage points for shares and percentages, per cent of the baseline for all
 * else. Null where one of the two was not measured or the baseline is 0. Says nothing about chance: medians only.
 */
export function differenceOf(metric: MetricId, value: number | null, baseline: number | null): Difference | null {
  if (value === null || baseline === null) return null
  const info = metricInfo(metric)
  const points = info.asPercent === true || info.unit === '%'
  if (!points && baseline === 0) return null
  const change = points ? (value - baseline) * (info.asPercent ? 100 : 1) : (100 * (value - baseline)) / baseline
  const sign = change > 0 ? '+' : change < 0 ? '−' : '±'
  const digits = points ? 2 : 1
  return { text: `${sign}${fixed(Math.abs(change), digits)} ${points ? 'pp' : '%'}`, verdict: verdictOf(info.direction, change) }
}

function verdictOf(direction: 'up' | 'down' | 'neither', change: number): Difference['verdict'] {
  if (change === 0) return 'equal'
  if (direction === 'neither') return 'neither'
  return change > 0 === (direction === 'up') ? 'better' : 'worse'
}
