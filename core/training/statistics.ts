import quantile from '@stdlib/stats-base-dists-t-quantile'

export const mean = (values: readonly number[]): number | null => (values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length)

/** Sample standard deviation (n − 1); null for fewer than two values. */
export function deviation(values: readonly number[]): number | null {
  const centre = mean(values)
  if (centre === null || values.length < 2) return null
  return Math.sqrt(values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (values.length - 1))
}

/** Half width of the 95 % t-interval of a mean: t(0.975, n − 1)·s/√n; null for fewer than two values. */
export function halfInterval(values: readonly number[]): number | null {
  const spread = deviation(values)
  return spread === null ? null : (quantile(0.975, values.length - 1) * spread) / Math.sqrt(values.length)
}

/** Pearson's correlation; null where one side does not vary. */
export function correlation(xs: readonly number[], ys: readonly number[]): number | null {
  const meanX = mean(xs)
  const meanY = mean(ys)
  if (meanX === null || meanY === null) return null
  let xx = 0
  let yy = 0
  let xy = 0
  xs.forEach((x, i) => {
    const dx = x - meanX
    const dy = (ys[i] ?? meanY) - meanY
    xx += dx * dx
    yy += dy * dy
    xy += dx * dy
  })
  return xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : null
}

/** Mean |predicted − actual| over mean |actual|; null where nothing moved. */
export function relativeError(predicted: readonly number[], actual: readonly number[]): number | null {
  const size = actual.reduce((sum, value) => sum + Math.abs(value), 0)
  const error = predicted.reduce((sum, value, i) => sum + Math.abs(value - (actual[i] ?? 0)), 0)
  return size > 0 ? error / size : null
}
