import binomialCdf from '@stdlib/stats-base-dists-binomial-cdf'
import normalQuantile from '@stdlib/stats-base-dists-normal-quantile'

/** Two results on the same items, each right (1) or wrong (0). */
export interface RightWrongComparison {
  kind: 'right-wrong'
  items: number
  /** Items that the first has right and the second wrong, and the other way round, by their place. */
  lost: number[]
  won: number[]
  /** Accuracy of the second minus the first, in percentage points, with its 95 % interval. */
  difference: number
  interval: readonly [number, number]
  /** McNemar's exact test, two-sided: the probability of flips at least as uneven if neither is better. */
  p: number
}

const level = 0.95

/**
 * Paired comparison of accuracies: McNemar's exact test on the discordant pairs (McNemar 1947, binomial form) and
 * the hybrid score interval for a difference of paired proportions (Newcombe 1998, method 10).
 */
export function compareRightWrong(first: ArrayLike<number>, second: ArrayLike<number>): RightWrongComparison {
  const [lost, won]: [number[], number[]] = [[], []]
  let both = 0
  for (let i = 0; i < first.length; i++) {
    if (first[i] === 1 && second[i] === 1) both += 1
    else if (first[i] === 1) lost.push(i)
    else if (second[i] === 1) won.push(i)
  }
  return {
    kind: 'right-wrong',
    items: first.length,
    lost,
    won,
    difference: (100 * (won.length - lost.length)) / first.length,
    interval: differenceInterval(both, won.length, lost.length, first.length),
    p: mcnemar(won.length, lost.length),
  }
}

/** Two-sided exact p: twice the smaller tail of Binomial(won + lost, 1/2), at most 1. */
export function mcnemar(won: number, lost: number): number {
  const flips = won + lost
  return flips === 0 ? 1 : Math.min(1, 2 * binomialCdf(Math.min(won, lost), flips, 0.5))
}

/** Wilson's 95 % score interval of a share, k successes among n. */
export function wilson(k: number, n: number): [number, number] {
  const z = normalQuantile((1 + level) / 2, 0, 1)
  const middle = (k + (z * z) / 2) / (n + z * z)
  const half = (z * Math.sqrt((k * (n - k)) / n + (z * z) / 4)) / (n + z * z)
  return [Math.max(0, middle - half), Math.min(1, middle + half)]
}

function differenceInterval(both: number, won: number, lost: number, n: number): [number, number] {
  const neither = n - both - won - lost
  const [p2, p1] = [(both + won) / n, (both + lost) / n]
  const [l2, u2] = wilson(both + won, n)
  const [l1, u1] = wilson(both + lost, n)
  const correlation = phi(both, won, lost, neither)
  const below = Math.sqrt(Math.max(0, (p2 - l2) ** 2 - 2 * correlation * (p2 - l2) * (u1 - p1) + (u1 - p1) ** 2))
  const above = Math.sqrt(Math.max(0, (u2 - p2) ** 2 - 2 * correlation * (u2 - p2) * (p1 - l1) + (p1 - l1) ** 2))
  return [100 * (p2 - p1 - below), 100 * (p2 - p1 + above)]
}

/** Correlation of the two results with Newcombe's continuity correction; 0 where a margin is empty. */
function phi(both: number, won: number, lost: number, neither: number): number {
  const n = both + won + lost + neither
  const margins = (both + won) * (lost + neither) * (both + lost) * (won + neither)
  if (margins === 0) return 0
  const product = both * neither - won * lost
  const corrected = product > 0 ? Math.max(product - n / 2, 0) : product
  return corrected / Math.sqrt(margins)
}
