import type { CurvePiece, TrainingMethodId, TrainingRunSummary } from '../../contract/training.ts'
import {
  createTraining,
  evaluateTraining,
  history,
  methodDefaults,
  parameters,
  parameterValues,
  runTraining,
  setParameterValues,
  type MethodSettings,
  type TrainingHistory,
  type TrainingSession,
} from '../../native/training.ts'
import { curvePieces } from './curve-pieces.ts'
import type { Lab, LabData } from './labs.ts'
import { methodById } from './methods.ts'
import { correlation, mean, relativeError } from './statistics.ts'

export interface RunContext {
  lab: Lab
  data: LabData
  steps: number
  diagnoseEvery: number
  threads: number
  /** Dense weights by seed: pruning, retraining and training twice all begin from them. */
  denseWeights: Map<number, Float32Array[]>
  signal?: AbortSignal
  onCurves: (phase: string, step: number, news: CurvePiece) => void
}

const valuesOf = (session: TrainingSession): Float32Array[] => parameters(session).map((_, index) => parameterValues(session, index))

function sessionFor(context: RunContext, settings: MethodSettings, seed: number, halfWidth: boolean, start: Float32Array[] | null): TrainingSession {
  const session = createTraining({
    lab: context.lab.request(context.data, halfWidth),
    method: settings,
    optimizer: context.lab.optimizer,
    seed,
    steps: context.steps,
    diagnoseEvery: context.diagnoseEvery,
    diagnoseHeldOut: false,
    firstDataStep: start ? context.steps : 0,
    threads: context.threads,
    backend: 'tiled',
    reference: false,
  })
  start?.forEach((values, index) => {
    setParameterValues(session, index, values)
  })
  return session
}

async function train(context: RunContext, session: TrainingSession, phase: string): Promise<void> {
  const pieces = curvePieces(context.steps)
  await runTraining(session, context.steps, { signal: context.signal }, (news) => {
    context.onCurves(phase, news.step, pieces(news))
  })
}

async function denseWeights(context: RunContext, seed: number): Promise<Float32Array[]> {
  const known = context.denseWeights.get(seed)
  if (known) return known
  const session = sessionFor(context, methodDefaults, seed, false, null)
  await train(context, session, 'dense')
  const values = valuesOf(session)
  context.denseWeights.set(seed, values)
  return values
}

/**
 * Trains one method with one seed and says what it came to.
 * @throws Error CANCELLED, NOT_FINITE (the loss diverged) or INVALID_ARGUMENT
 */
export async function runMethod(context: RunContext, method: TrainingMethodId, seed: number): Promise<TrainingRunSummary> {
  const { procedure, settings, halfWidth } = methodById(method)
  const start = procedure === 'one-run' ? null : await denseWeights(context, seed)
  const session = sessionFor(context, settings, seed, halfWidth, start)
  if (procedure !== 'dense-then-prune') await train(context, session, procedure === 'one-run' ? 'training' : 'retraining')
  if (method === 'dense') context.denseWeights.set(seed, valuesOf(session))
  const { loss, accuracy } = await evaluateTraining(session, { signal: context.signal })
  return { method, seed, loss, accuracy: context.data?.kind === 'classes' ? accuracy : null, failure: null, ...figuresOf(history(session), context.steps) }
}

type Figures = Omit<TrainingRunSummary, 'method' | 'seed' | 'loss' | 'accuracy' | 'failure'>

/** What the diagnoses of a run say of the three drawbacks (S-STE, section 4.1). */
function figuresOf({ diagnoses, seconds, diagnosticSeconds }: TrainingHistory, steps: number): Figures {
  const flips = Array.from(diagnoses.flipRate)
  const within = (from: number, to: number): number[] =>
    flips.filter((_, i) => {
      const step = diagnoses.step[i] ?? -1
      return step >= from && step < to
    })
  const actual = Array.from(diagnoses.actual)
  const predicted = Array.from(diagnoses.predictedSparse)
  const wrong = actual.filter((value, i) => value < 0 && (diagnoses.frozen[i] ?? 0) > 0).length
  const layers = actual.length === 0 ? 0 : diagnoses.scale.length / actual.length
  return {
    flipsFirst: mean(within(0, 100)),
    flipsLast: mean(within(steps - 100, steps)),
    flipsPeak: flips.length === 0 ? null : Math.max(...flips),
    wrongDirection: actual.length === 0 ? null : wrong / actual.length,
    correlation: correlation(predicted, actual),
    relativeError: relativeError(predicted, actual),
    scales: Array.from(diagnoses.scale.subarray(diagnoses.scale.length - layers)),
    seconds,
    diagnosticSeconds,
  }
}
