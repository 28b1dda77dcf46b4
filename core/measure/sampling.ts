import { median } from './median.ts'
import type { Comparison } from './verdict.ts'

/** When sampling may begin, how it goes on and why it ends. Every number here has its default and is written with the result. */
export interface SamplingPlan {
  /** Samples are taken in blocks, the contestants in turn. */
  samplesPerBlock: number
  /** Least length of one sample, ms; shorter calls are repeated inside it. */
  sampleMilliseconds: number
  fewestBlocks: number
  mostBlocks: number
  /** Enough when the interval of every speed-up reaches no further than this share from its middle. */
  precision: number
  /** Wall seconds for the sampling of one shape at most. */
  limitSeconds: number
  /** Warm-up ends when the last three blocks of a contestant differ by no more than this share, or after settleSeconds. */
  settleShare: number
  settleSeconds: number
}

export const defaultPlan: SamplingPlan = {
  samplesPerBlock: 5,
  sampleMilliseconds: 2,
  fewestBlocks: 8,
  mostBlocks: 60,
  precision: 0.02,
  limitSeconds: 20,
  settleShare: 0.03,
  settleSeconds: 3,
}

/** Whether the last three block medians agree within `share` of their middle. */
export function isSettled(blockMedians: readonly number[], share: number): boolean {
  const last = blockMedians.slice(-3)
  const middle = median(last)
  return last.length === 3 && middle !== null && Math.max(...last) - Math.min(...last) <= share * middle
}

/** Calls that fill one sample, from the time of one call. */
export function callsPerSample(callMilliseconds: number, plan: SamplingPlan): number {
  return Math.min(10_000, Math.max(1, Math.ceil(plan.sampleMilliseconds / Math.max(callMilliseconds, 1e-4))))
}

/** Half the width of an interval of a ratio, relative to its middle; null where there is none. */
export function halfWidth({ interval }: Comparison): number | null {
  return interval ? (interval.high - interval.low) / (interval.high + interval.low) : null
}

/** Why sampling ends now, in words, or null to go on. */
export function stopCause(blocks: number, seconds: number, comparisons: readonly (Comparison | null)[], plan: SamplingPlan): string | null {
  const widths = comparisons.map((comparison) => (comparison ? halfWidth(comparison) : null))
  const precise = widths.length > 0 && widths.every((width) => width !== null && width <= plan.precision)
  if (blocks >= plan.fewestBlocks && precise) return `every speed-up was known to ±${plan.precision * 100} % after ${blocks} blocks`
  if (seconds >= plan.limitSeconds) return `the limit of ${plan.limitSeconds} s was reached after ${blocks} blocks`
  return blocks >= plan.mostBlocks ? `the limit of ${plan.mostBlocks} blocks was reached` : null
}
