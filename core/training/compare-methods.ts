import type { MethodSummary, PairedDifference, TrainingMethodId, TrainingRunSummary } from '../../contract/training.ts'
import { claimOf } from './claims.ts'
import { deviation, halfInterval, mean } from './statistics.ts'

const numbersOf = (runs: readonly TrainingRunSummary[], pick: (run: TrainingRunSummary) => number | null): number[] =>
  runs.map(pick).filter((value) => value !== null)

/** Mean and deviation of each method over the seeds that ended with a loss. */
export function summarise(methods: readonly TrainingMethodId[], runs: readonly TrainingRunSummary[]): MethodSummary[] {
  return methods.map((method) => {
    const own = runs.filter((run) => run.method === method && run.loss !== null)
    const losses = numbersOf(own, (run) => run.loss)
    const accuracies = numbersOf(own, (run) => run.accuracy)
    return {
      method,
      seeds: own.length,
      loss: mean(losses),
      lossDeviation: deviation(losses),
      accuracy: mean(accuracies),
      accuracyDeviation: deviation(accuracies),
      flipsLast: mean(numbersOf(own, (run) => run.flipsLast)),
      wrongDirection: mean(numbersOf(own, (run) => run.wrongDirection)),
      correlation: mean(numbersOf(own, (run) => run.correlation)),
    }
  })
}

/**
 * The loss of each method minus the reference's, paired by seed: same initial weights, same data. The verdict follows from
 * the 95 % t-interval alone, never from a stored figure.
 */
export function compare(
  methods: readonly TrainingMethodId[],
  reference: TrainingMethodId,
  runs: readonly TrainingRunSummary[],
  plannedSeeds: number,
): PairedDifference[] {
  const lossOf = (method: TrainingMethodId, seed: number): number | null => runs.find((run) => run.method === method && run.seed === seed)?.loss ?? null
  const seeds = [...new Set(runs.map((run) => run.seed))]
  if (!methods.includes(reference)) return []
  return methods
    .filter((method) => method !== reference)
    .map((method) => {
      const differences = seeds.flatMap((seed) => {
        const own = lossOf(method, seed)
        const other = lossOf(reference, seed)
        return own === null || other === null ? [] : [own - other]
      })
      const centre = mean(differences)
      const half = halfInterval(differences)
      const claim = claimOf(method, reference)
      return {
        method,
        reference,
        mean: centre,
        half,
        pairs: differences.length,
        higher: differences.filter((difference) => difference > 0).length,
        claim,
        verdict: verdictOf(centre, half, claim),
        complete: differences.length === plannedSeeds,
      }
    })
}

function verdictOf(centre: number | null, half: number | null, claim: PairedDifference['claim']): PairedDifference['verdict'] {
  const side = centre === null || half === null ? null : centre - half > 0 ? 'higher' : centre + half < 0 ? 'lower' : null
  if (claim === null) return 'measured'
  if (side === null) return 'not-decidable'
  return side === claim ? 'confirmed' : 'opposite'
}
