import tQuantile from '@stdlib/stats-base-dists-t-quantile'

export interface PairedDifference {
  mean: number
  /** Half width of the 95 % t-interval of the mean; 0 for fewer than two pairs. */
  half: number
}

export const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

export function deviation(values: readonly number[]): number {
  if (values.length < 2) return 0
  const centre = mean(values)
  return Math.sqrt(values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (values.length - 1))
}

/** first − second, pair by pair (the same seed). */
export function pairedDifference(first: readonly number[], second: readonly number[]): PairedDifference {
  const differences = first.map((value, i) => value - second[i]!)
  const count = differences.length
  const half = count < 2 ? 0 : (tQuantile(0.975, count - 1) * deviation(differences)) / Math.sqrt(count)
  return { mean: mean(differences), half }
}
