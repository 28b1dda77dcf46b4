import { describe, expect, it } from 'vitest'
import type { TrainingMethodId, TrainingRunSummary } from '../../contract/training.ts'
import { compare, summarise } from './compare-methods.ts'

const run = (method: TrainingMethodId, seed: number, loss: number | null): TrainingRunSummary => ({
  method,
  seed,
  loss,
  accuracy: null,
  failure: loss === null ? 'The loss became nan at step 3.' : null,
  flipsFirst: null,
  flipsLast: null,
  flipsPeak: null,
  wrongDirection: null,
  correlation: null,
  relativeError: null,
  scales: [],
  seconds: 0,
  diagnosticSeconds: 0,
})

/** The reference at 1 on every seed, the method at these differences above it. */
const pairs = (method: TrainingMethodId, differences: (number | null)[]): TrainingRunSummary[] =>
  differences.flatMap((difference, seed) => [run('s-ste', seed, 1), run(method, seed, difference === null ? null : 1 + difference)])

const only = (method: TrainingMethodId, differences: (number | null)[], planned = differences.length) => {
  const found = compare(['s-ste', method], 's-ste', pairs(method, differences), planned)
  expect(found).toHaveLength(1)
  return found[0]!
}

describe('verdicts of a training sweep', () => {
  it('confirms a claim only when the interval excludes zero on the claimed side', () => {
    // Mean 0.1, s = 0.01, n = 3: half width 4.303·0.01/√3 = 0.0248.
    const difference = only('ste', [0.09, 0.1, 0.11])
    expect(difference.mean).toBeCloseTo(0.1, 12)
    expect(difference.half).toBeCloseTo(0.02484, 4)
    expect(difference).toMatchObject({ claim: 'higher', verdict: 'confirmed', pairs: 3, higher: 3, complete: true })
  })

  it('says so when the sign is the opposite one', () => {
    expect(only('ste', [-0.09, -0.1, -0.11]).verdict).toBe('opposite')
  })

  it('does not decide when zero is inside, or with a single pair', () => {
    expect(only('ste', [0.1, -0.1, 0.02]).verdict).toBe('not-decidable')
    expect(only('ste', [0.1])).toMatchObject({ half: null, verdict: 'not-decidable' })
  })

  it('measures without a verdict where the papers claim nothing', () => {
    expect(only('sr-ste-2e-2', [-0.003, -0.004, -0.005])).toMatchObject({ claim: null, verdict: 'measured' })
  })

  it('pairs by seed, leaves out runs that failed and marks what is not complete', () => {
    const difference = only('dense', [-0.1, null, -0.2], 3)
    expect(difference).toMatchObject({ pairs: 2, complete: false })
    expect(difference.mean).toBeCloseTo(-0.15, 12)
  })

  it('compares nothing without its reference', () => {
    expect(compare(['ste'], 's-ste', [run('ste', 0, 1)], 1)).toEqual([])
  })

  it('summarises only runs that have a loss', () => {
    const [summary] = summarise(['ste'], [run('ste', 0, 1), run('ste', 1, null), run('ste', 2, 3)])
    expect(summary).toMatchObject({ seeds: 2, loss: 2 })
    expect(summary?.lossDeviation).toBeCloseTo(Math.SQRT2, 12)
  })
})
