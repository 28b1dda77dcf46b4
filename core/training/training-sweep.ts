import { failureOf } from '../../contract/error.ts'
import { labs, type TrainingEvent, type TrainingMethodId, type TrainingResult, type TrainingRunSummary, type TrainingSpec } from '../../contract/training.ts'
import { compare, summarise } from './compare-methods.ts'
import { labById, type LabData } from './labs.ts'
import { runMethod, type RunContext } from './run-method.ts'

export interface SweepOptions {
  data?: LabData
  signal?: AbortSignal
  onEvent?: (event: TrainingEvent) => void
}

const notes: Record<TrainingSpec['lab'], string[]> = {
  'lab-a': [],
  'lab-b': ['In this lab the order of the losses shows, the three drawbacks hardly do.'],
  'lab-c': ['The last layer, one row a class, stays dense.'],
}

/** A run without a result, so that a sweep tells of it and goes on. */
const failed = (method: TrainingMethodId, seed: number, failure: string): TrainingRunSummary => ({
  method,
  seed,
  loss: null,
  accuracy: null,
  failure,
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

/**
 * Trains every method with every seed, seed by seed, and compares them live. A run that diverges or is refused is told of
 * with its reason, and the sweep goes on; a cancel ends it with what is there.
 */
export async function trainingSweep(spec: TrainingSpec, { data = null, signal, onEvent }: SweepOptions = {}): Promise<TrainingResult> {
  const lab = labById(spec.lab)
  const steps = spec.steps ?? lab.steps
  const plannedSeeds = spec.seeds ?? lab.seeds
  const methods = [...new Set(spec.methods)]
  const runs: TrainingRunSummary[] = []
  const result = (): TrainingResult => {
    const differences = compare(methods, spec.reference, runs, plannedSeeds)
    return {
      schema: 'hinm-training/1',
      lab: spec.lab,
      unit: labs.find(({ id }) => id === spec.lab)?.unit ?? '',
      steps,
      plannedSeeds,
      runs: [...runs],
      methods: summarise(methods, runs),
      differences,
      comparisons: differences.length,
      notes: notes[spec.lab],
    }
  }
  onEvent?.({ type: 'started', runs: methods.length * plannedSeeds, steps })
  const denseWeights: RunContext['denseWeights'] = new Map()
  for (let seed = 0; seed < plannedSeeds; seed += 1) {
    for (const method of methods) {
      onEvent?.({ type: 'run-started', method, seed })
      const context: RunContext = {
        lab,
        data,
        steps,
        diagnoseEvery: spec.diagnoseEvery,
        threads: spec.threads,
        denseWeights,
        signal,
        onCurves: (phase, step, news) => onEvent?.({ type: 'curves', method, seed, phase, step, total: steps, news }),
      }
      try {
        runs.push(await runMethod(context, method, seed))
      } catch (thrown) {
        const failure = failureOf(thrown)
        if (failure.code === 'CANCELLED') {
          const partial = result()
          onEvent?.({ type: 'ended', status: 'cancelled', result: partial })
          return partial
        }
        runs.push(failed(method, seed, failure.message))
      }
      onEvent?.({ type: 'run-finished', run: runs.at(-1)!, result: result() })
    }
    denseWeights.delete(seed)
  }
  const final = result()
  onEvent?.({ type: 'ended', status: 'done', result: final })
  return final
}
