import { metricInfo, type MetricId, type MetricValue } from '../../../contract/metric.ts'
import { bytes, fixed } from './number.ts'

/** The unit as a column head shows it; a ratio that is shown in per cent says so. */
export function metricUnit(id: MetricId): string {
  const info = metricInfo(id)
  if (info.asPercent) return '%'
  return info.unit === 'ratio' || info.unit === 'count' || info.unit === 'bytes' ? '' : info.unit
}

/** A number of the registry without its unit (the head carries it), in the reader's locale. */
export function metricNumber(id: MetricId, value: number): string {
  const info = metricInfo(id)
  if (info.unit === 'bytes') return bytes(value)
  return fixed(info.asPercent ? value * 100 : value, info.digits)
}

/** A number of the registry with its unit, for places without a head. */
export function metricText(id: MetricId, metric: MetricValue): string {
  if (metric.value === null) return 'not measured'
  const unit = metricUnit(id)
  const number = metricNumber(id, metric.value)
  if (unit === '×') return `${number}×${metric.value < 1 ? ' (slower)' : ''}`
  return unit === '' ? number : `${number} ${unit}`
}

/** Which way is better, in words. */
export function directionText(id: MetricId): string {
  return { up: 'higher is better', down: 'lower is better', neither: 'a description, neither way is better' }[metricInfo(id).direction]
}
