/**
 * The middle value; the mean of the two middle ones for an even count.
 * @returns null for no values.
 */
export function median(values: ArrayLike<number>): number | null {
  const sorted = Float64Array.from(values).sort()
  const middle = sorted.length >> 1
  const upper = sorted[middle]
  if (upper === undefined) return null
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}
