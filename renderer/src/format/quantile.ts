/** The q-quantile of sorted values, linear between neighbours (Hyndman and Fan's definition 7). */
export function quantile(sorted: readonly number[], q: number): number {
  const place = (sorted.length - 1) * q
  const lower = Math.floor(place)
  const left = sorted[lower] ?? Number.NaN
  const right = sorted[Math.min(lower + 1, sorted.length - 1)] ?? left
  return left + (right - left) * (place - lower)
}

export interface Spread {
  count: number
  least: number
  lower: number
  median: number
  upper: number
  most: number
  /** Tukey: beyond 1.5 and beyond 3 interquartile ranges from the quartiles. Null where the quartiles coincide. */
  outliers: { mild: number; far: number } | null
}

/** How samples are spread; null without samples. When the quartiles coincide the timer is too coarse to call anything an outlier. */
export function spreadOf(values: readonly number[]): Spread | null {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  const [lower, median, upper] = [quantile(sorted, 0.25), quantile(sorted, 0.5), quantile(sorted, 0.75)]
  const range = upper - lower
  const beyond = (fences: number): number => sorted.filter((value) => value < lower - fences * range || value > upper + fences * range).length
  const far = beyond(3)
  return { count: sorted.length, least: sorted[0]!, lower, median, upper, most: sorted.at(-1)!, outliers: range > 0 ? { mild: beyond(1.5) - far, far } : null }
}
