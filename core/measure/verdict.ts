import { median } from './median.ts'
import { meanInterval, type Interval } from './statistics.ts'

/** How two contestants compare whose blocks were taken in turn: A B A B … */

export const verdicts = ['faster', 'slower', 'same', 'unclear'] as const
export type Verdict = (typeof verdicts)[number]

export interface Comparison {
  /**
   * Baseline time over candidate time: the geometric mean of the block-wise ratios of medians, which the interval surrounds;
   * below 1 the candidate is slower.
   */
  speedup: number
  /** From the block-wise ratios; null for fewer than 2 blocks. */
  interval: Interval | null
  verdict: Verdict
  /** Share below which a difference does not count. */
  threshold: number
}

/** A difference below 1 % is of no practical use. */
export const practicalThreshold = 0.01

/** Log ratio of the medians of neighbouring blocks: what drifts slowly (clock, heat, other programs) meets both sides alike. */
function blockRatios(baseline: readonly ArrayLike<number>[], candidate: readonly ArrayLike<number>[]): number[] {
  const ratios: number[] = []
  for (const [index, block] of baseline.entries()) {
    const other = candidate[index]
    const over = median(block)
    const under = other ? median(other) : null
    if (over !== null && under !== null && over > 0 && under > 0) ratios.push(Math.log(over / under))
  }
  return ratios
}

function exponential({ low, high, coverage }: Interval): Interval {
  return { low: Math.exp(low), high: Math.exp(high), coverage }
}

export function verdictOf(interval: Interval | null, threshold: number): Verdict {
  if (!interval || !Number.isFinite(interval.low) || !Number.isFinite(interval.high)) return 'unclear'
  if (interval.low > 1 + threshold) return 'faster'
  if (interval.high < 1 - threshold) return 'slower'
  return interval.low >= 1 - threshold && interval.high <= 1 + threshold ? 'same' : 'unclear'
}

/**
 * Compares blocks of samples taken in turn. `noiseFloor` is what the machine shows between a contestant and itself; a
 * difference inside it, or inside 1 %, does not count.
 * @returns null when there is no pair of blocks.
 */
export function compare(baseline: readonly ArrayLike<number>[], candidate: readonly ArrayLike<number>[], noiseFloor = 0): Comparison | null {
  const ratios = blockRatios(baseline, candidate)
  if (ratios.length === 0) return null
  const logs = meanInterval(ratios)
  const interval = logs ? exponential(logs) : null
  const speedup = Math.exp(ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length)
  const threshold = Math.max(practicalThreshold, noiseFloor)
  return { speedup, interval, verdict: verdictOf(interval, threshold), threshold }
}

/**
 * The machine's own noise: two processes that run the same product are compared as if they were different. The floor is
 * how far from 1 the interval of their ratio reaches.
 * @returns null when there are too few blocks to say.
 */
export function noiseFloor(first: readonly ArrayLike<number>[], second: readonly ArrayLike<number>[]): number | null {
  const interval = compare(first, second)?.interval
  return interval ? Math.max(Math.abs(interval.high - 1), Math.abs(1 - interval.low)) : null
}
