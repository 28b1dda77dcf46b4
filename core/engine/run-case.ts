import type { CaseResult, CaseSpec, SampleSet } from '../../contract/case.ts'
import { AppError } from '../../contract/error.ts'
import type { Metrics } from '../../contract/metric.ts'
import type { LayerInfo } from '../../contract/model.ts'
import { taskMetrics } from '../../contract/task.ts'
import { correctBias } from '../accuracy/bias-correction.ts'
import type { Evaluation } from '../accuracy/evaluator.ts'
import { updateWeights, type PrunedLayer } from '../accuracy/weight-update.ts'
import type { LayerChange } from '../model/open-model.ts'
import { refusal } from '../sparsity/native-pattern.ts'
import { caseNotes } from './case-notes.ts'
import type { CaseRequest, Progress } from './protocol.ts'
import { pruneLayer, type LayerOutcome, type LayerWork } from './prune-layer.ts'
import type { WarmTask } from './warm-task.ts'
import { achievedSparsity, wholeModelMetrics } from './whole-model.ts'

export interface CaseJob {
  signal: AbortSignal
  onProgress: (progress: Progress) => void
}

/**
 * One case from weights to accuracy. A layer that cannot take the pattern is left dense with the reason and counts in
 * times, sizes and accuracy; a product that fails its check fails the case.
 * @throws AppError CANCELLED, VERIFICATION_FAILED, or what stopped it, naming the layer where there is one.
 */
export async function runCase(warm: WarmTask, { spec, settings, modelHash }: CaseRequest, job: CaseJob): Promise<CaseResult> {
  const begun = performance.now()
  assertSameModel(warm, modelHash)
  const layers = chosenLayers(warm, spec)
  const work: LayerWork = { warm, spec, settings, ...job }
  const outcomes: LayerOutcome[] = []
  for (const layer of layers) outcomes.push(await pruneLayer(work, layer, refusal(spec.pattern, layer.rows, layer.cols)))
  const notes = caseNotes(spec, settings, outcomes, warm.model.info.layers, warm.task.calibration?.count ?? 0)
  const changes = await corrected(work, outcomes, notes)
  const accuracy = settings.accuracy ? await evaluate(work, changes) : null
  return {
    status: 'done',
    reason: null,
    sparsityAchieved: achievedSparsity(outcomes),
    metrics: { ...wholeModelMetrics(outcomes), ...(accuracy?.metrics ?? {}) } satisfies Metrics,
    layers: outcomes.map(({ result }) => result),
    samples: [...outcomes.flatMap(({ samples }) => samples), ...(accuracy ? judgedSamples(warm, accuracy) : [])],
    seconds: (performance.now() - begun) / 1000,
    notes,
  }
}

function assertSameModel({ model, task }: WarmTask, hash: string | null): void {
  if (hash === null || model.info.hash === hash) return
  throw new AppError(
    'MODEL_CORRUPT',
    `The model file of ${task.name} was changed after this run had begun, so its rows would not compare; put the file back or start a new run.`,
  )
}

function chosenLayers({ model }: WarmTask, spec: CaseSpec): LayerInfo[] {
  const eligible = model.info.layers.filter((layer) => layer.eligible)
  const chosen = spec.layer === null ? eligible : eligible.filter(({ name }) => name === spec.layer)
  if (chosen.length > 0) return chosen
  const found = model.info.layers.find(({ name }) => name === spec.layer)
  if (spec.layer === null) throw new AppError('INVALID_ARGUMENT', `The model ${model.info.name} has no layer that can be pruned.`)
  throw new AppError(
    'INVALID_ARGUMENT',
    `The layer "${spec.layer}" of ${model.info.name} cannot be pruned: ${found?.reason ?? 'there is no layer of that name'}.`,
  )
}

const changedLayers = (outcomes: readonly LayerOutcome[]): Map<string, LayerChange> =>
  new Map(outcomes.flatMap(({ result, weights }) => (weights ? [[result.layer, { weights }] as const] : [])))

/** What is done to the kept weights and biases of all pruned layers, in the order of the graph. */
async function corrected(work: LayerWork, outcomes: readonly LayerOutcome[], notes: string[]): Promise<Map<string, LayerChange>> {
  const { correction } = work.spec
  const changes = changedLayers(outcomes)
  if (correction === 'none' || changes.size === 0) return changes
  const calibrator = (await work.warm.evaluator()).calibrator()
  const options = {
    threads: work.settings.threads,
    signal: work.signal,
    onNote: (sentence: string) => notes.push(sentence),
    onProgress: (done: number, total: number): void => {
      work.onProgress({ phase: correction === 'bias' ? 'bias correction' : 'weight update', done, total })
    },
  }
  if (correction === 'bias') return await correctBias(calibrator, changes, options)
  return await updateWeights(calibrator, prunedLayers(outcomes), options)
}

const prunedLayers = (outcomes: readonly LayerOutcome[]): Map<string, PrunedLayer> =>
  new Map(outcomes.flatMap(({ result, weights, mask }) => (weights && mask ? [[result.layer, { weights, maskBits: mask.bits }] as const] : [])))

async function evaluate({ warm, settings, signal, onProgress }: LayerWork, changes: ReadonlyMap<string, LayerChange>): Promise<Evaluation> {
  const options = {
    excludeCalibration: settings.excludeCalibration,
    threads: settings.threads,
    signal,
    onProgress: (done: number, total: number): void => {
      onProgress({ phase: 'accuracy', done, total })
    },
  }
  return changes.size === 0 ? await warm.denseAccuracy(options) : await (await warm.evaluator()).evaluate(changes, options)
}

/** What a paired test of two cases needs: the loss of every sample where there is one, else 1 where it was right. */
function judgedSamples({ task }: WarmTask, { losses, correct }: Evaluation): SampleSet[] {
  const values = losses ?? correct
  return values.length === 0 ? [] : [{ layer: null, metric: taskMetrics[task.metric], values: Array.from(values) }]
}
