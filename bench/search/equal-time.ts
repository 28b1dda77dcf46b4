import { searchOrder, type SearchRequest } from '../../native/permutation.ts'

export interface SearchOutcome {
  /** Saliency kept after the whole pattern. */
  kept: number
  evaluations: number
  /** CPU seconds of the whole process, on one thread. */
  seconds: number
}

export async function timedSearch(request: SearchRequest): Promise<SearchOutcome> {
  const before = process.cpuUsage()
  const order = await searchOrder(request)
  const { user, system } = process.cpuUsage(before)
  return { kept: order.trace.kept.at(-1)!, evaluations: order.evaluations, seconds: (user + system) / 1e6 }
}

/** Share of the target within which a budget counts as calibrated. */
const tolerance = 0.07

/**
 * The budget of evaluations that makes a strategy run for about `target` CPU seconds on this layer, found with a seed of
 * its own. A strategy that ends by itself before that keeps the last budget that was tried.
 */
export async function calibratedBudget(request: SearchRequest, target: number, guess: number): Promise<number> {
  let budget = Math.max(1, Math.round(guess))
  const spent: number[] = []
  for (let step = 0; step < 10; step++) {
    const { seconds, evaluations } = await timedSearch({ ...request, budget })
    if (Math.abs(seconds / target - 1) <= tolerance) break
    // Unchanged after the budget grew twice fourfold: it is not a step too dear for the budget, the strategy has ended.
    if (seconds < target && evaluations === spent.at(-1) && evaluations === spent.at(-2)) break
    spent.push(evaluations)
    budget = Math.max(1, Math.round(budget * Math.min(4, Math.max(1 / 8, target / seconds))))
  }
  return budget
}
