/** Two results with one loss a sample, on the same samples. */
export interface LossComparison {
  kind: 'losses'
  items: number
  /** Mean loss of the second minus the first (nats, edits or squared error), with its 95 % interval. */
  difference: number
  interval: readonly [number, number]
  resamples: number
  seed: number
}

const resamples = 10_000

/**
 * Paired bootstrap of the difference of mean losses (Efron and Tibshirani 1993, percentile interval): samples are
 * drawn with replacement, both results of a sample together. The same seed gives the same interval on any machine.
 */
export function compareLosses(first: ArrayLike<number>, second: ArrayLike<number>, seed: number): LossComparison {
  const differences = Float64Array.from({ length: first.length }, (_, i) => second[i]! - first[i]!)
  const random = generator(seed)
  const drawn = (): number => differences[Math.floor(random() * differences.length)]!
  const means = Float64Array.from({ length: resamples }, () => differences.reduce((sum) => sum + drawn(), 0) / differences.length).sort()
  const mean = differences.reduce((sum, difference) => sum + difference, 0) / differences.length
  return { kind: 'losses', items: differences.length, difference: mean, interval: [quantile(means, 0.025), quantile(means, 0.975)], resamples, seed }
}

/** Linear between the two nearest sorted values. */
function quantile(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1)
  const below = Math.floor(place)
  return sorted[below]! + (place - below) * (sorted[Math.min(below + 1, sorted.length - 1)]! - sorted[below]!)
}

/** Uniform numbers in [0, 1): a Weyl sequence through the mixer of MurmurHash3 (32 bits). */
function generator(seed: number): () => number {
  let state = (seed ^ Math.floor(seed / 2 ** 32)) >>> 0
  return () => {
    state = (state + 0x9e3779b9) >>> 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32
  }
}
