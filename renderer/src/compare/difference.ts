import { metricInfo, type MetricId } from '../../../contract/metric.ts'
import { fixed, plain } from '../format/number.ts'

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
  const text = points ? signed(change, 2, 'pp') : relative(value / baseline, change)
  // A change below the last digit shown is no ground for a word such as "worse".
  return { text, verdict: text.startsWith('±') ? 'equal' : verdictOf(info.direction, change) }
}

const signed = (change: number, digits: number, unit: string): string => {
  const rounded = Math.round(Math.abs(change) * 10 ** digits) / 10 ** digits
  return `${rounded === 0 ? '±' : change > 0 ? '+' : '−'}${fixed(rounded, digits)} ${unit}`
}

/** Beyond ten times the baseline a factor reads better than a percentage. */
const relative = (factor: number, change: number): string => (factor > 10 ? `×${plain(factor, 0)}` : signed(change, 1, '%'))

function verdictOf(direction: 'up' | 'down' | 'neither', change: number): Difference['verdict'] {
  if (direction === 'neither') return 'neither'
  return change > 0 === (direction === 'up') ? 'better' : 'worse'
}
