import binomialCdf from '@stdlib/stats-base-dists-binomial-cdf'
import studentQuantile from '@stdlib/stats-base-dists-t-quantile'
import { median } from './median.ts'

/** Statistics of timing samples: medians first, intervals with their coverage, outliers named and never dropped. */

export interface Interval {
  low: number
  high: number
  /** Probability that intervals made like this hold the true value. */
  coverage: number
}

/** The q-quantile by linear interpolation between order statistics (Hyndman and Fan's type 7); null for no values. */
export function quantile(values: ArrayLike<number>, q: number): number | null {
  const sorted = Float64Array.from(values).sort()
  if (sorted.length === 0) return null
  const place = (sorted.length - 1) * q
  const below = sorted[Math.floor(place)] ?? NaN
  const above = sorted[Math.ceil(place)] ?? NaN
  return below + (above - below) * (place - Math.floor(place))
}

/**
 * Interval of the median from order statistics: the number of samples below the true median is binomial(n, 1/2), so no
 * distribution is assumed. The narrowest symmetric pair with at least the asked coverage; null where the whole range
 * covers less (fewer than 6 samples at 95 %).
 */
export function medianInterval(values: ArrayLike<number>, coverage = 0.95): Interval | null {
  const sorted = Float64Array.from(values).sort()
  const n = sorted.length
  for (let rank = Math.floor((n + 1) / 2); rank >= 1; rank--) {
    const reached = 1 - 2 * binomialCdf(rank - 1, n, 0.5)
    const low = sorted[rank - 1]
    const high = sorted[n - rank]
    if (reached >= coverage && low !== undefined && high !== undefined) return { low, high, coverage: reached }
  }
  return null
}

/** Median absolute deviation from the median, unscaled. */
export function medianDeviation(values: ArrayLike<number>): number | null {
  const centre = median(values)
  return centre === null ? null : median(Float64Array.from(values, (value) => Math.abs(value - centre)))
}

/** Student's interval of the mean; null for fewer than 2 values. */
export function meanInterval(values: ArrayLike<number>, coverage = 0.95): Interval | null {
  const n = values.length
  if (n < 2) return null
  const mean = Array.from(values).reduce((sum, value) => sum + value, 0) / n
  const variance = Array.from(values).reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1)
  const half = studentQuantile((1 + coverage) / 2, n - 1) * Math.sqrt(variance / n)
  return { low: mean - half, high: mean + half, coverage }
}

export type OutlierLabel = 'none' | 'mild' | 'severe'

export interface Outliers {
  /** One label a sample. */
  labels: OutlierLabel[]
  mild: number
  severe: number
  /** Why nothing could be labelled, or null. */
  reason: string | null
}

/** Tukey's fences: 1.5 and 3 interquartile ranges outside the quartiles. Nothing is flagged where the quartiles coincide. */
export function outliers(values: ArrayLike<number>): Outliers {
  const lower = quantile(values, 0.25)
  const upper = quantile(values, 0.75)
  const none = Array.from(values, (): OutlierLabel => 'none')
  if (lower === null || upper === null) return { labels: none, mild: 0, severe: 0, reason: 'there are no samples' }
  const range = upper - lower
  if (range === 0) return { labels: none, mild: 0, severe: 0, reason: 'the quartiles are equal: the timer resolution hides the spread' }
  const labels = Array.from(values, (value): OutlierLabel => {
    const outside = Math.max(lower - value, value - upper)
    return outside > 3 * range ? 'severe' : outside > 1.5 * range ? 'mild' : 'none'
  })
  return { labels, mild: labels.filter((label) => label === 'mild').length, severe: labels.filter((label) => label === 'severe').length, reason: null }
}

export interface Summary {
  count: number
  median: number
  interval: Interval | null
  quartiles: [number, number]
  minimum: number
  /** Standard deviation over mean. */
  variation: number
  outliers: Outliers
}

/** What is shown of a set of samples; null for no samples. */
export function summarize(values: ArrayLike<number>): Summary | null {
  const centre = median(values)
  const lower = quantile(values, 0.25)
  const upper = quantile(values, 0.75)
  const minimum = quantile(values, 0)
  if (centre === null || lower === null || upper === null || minimum === null) return null
  const n = values.length
  const mean = Array.from(values).reduce((sum, value) => sum + value, 0) / n
  const deviation = n < 2 ? 0 : Math.sqrt(Array.from(values).reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1))
  return {
    count: n,
    median: centre,
    interval: medianInterval(values),
    quartiles: [lower, upper],
    minimum,
    variation: deviation / mean,
    outliers: outliers(values),
  }
}

/** For ratios; null for no values. A mean of percentages has no meaning and is not offered. */
export function geometricMean(values: readonly number[]): number | null {
  if (values.length === 0) return null
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length)
}
