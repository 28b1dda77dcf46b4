import { metricInfo, type MetricId, type MetricValue } from '../../contract/metric.ts'

/**
 * A value with the digits of the registry and a point, whatever the language of the system; an en dash where there is
 * none. The unit stands in the heading: see metricHeading.
 */
export function metricText(id: MetricId, metric: MetricValue | undefined): string {
  if (metric?.value == null) return '–'
  const { digits, asPercent } = metricInfo(id)
  const value = asPercent ? metric.value * 100 : metric.value
  if (value !== 0 && Math.abs(value) < 0.5 * 10 ** -digits) return value.toExponential(1)
  return value.toFixed(digits)
}

/** The label with the unit that metricText writes in. */
export function metricHeading(id: MetricId): string {
  const { label, unit, asPercent } = metricInfo(id)
  const shown = asPercent ? '%' : unit
  return shown === 'ratio' || shown === 'count' ? label : `${label}, ${shown}`
}
