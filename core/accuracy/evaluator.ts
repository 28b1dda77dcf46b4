import { AppError } from '../../contract/error.ts'
import { metric } from '../../contract/metric.ts'
import type { Metrics } from '../../contract/metric.ts'
import type { Task } from '../../contract/task.ts'
import type { LayerChange, OpenModel } from '../model/open-model.ts'
import { calibrationIndices, evaluationIndices } from './calibration-split.ts'
import { Calibrator } from './calibrator.ts'
import { throwIfCancelled } from './cancellation.ts'
import { openSamples } from './data/open-samples.ts'
import { openScorer } from './metrics/open-scorer.ts'
import { openSession, runBatch } from './runtime.ts'
import type { Session } from './runtime.ts'
import type { Samples } from './samples.ts'

export interface Evaluation {
  metrics: Metrics
  /** Samples that were evaluated. */
  samples: number
  /** 1 where the sample counts as right, in the order of the evaluated samples. */
  correct: Uint8Array
}

export interface EvaluateOptions {
  /** Leave out the samples that calibrate; a run that calibrates always does. */
  excludeCalibration: boolean
  /** Threads inside one operator. */
  threads: number
  signal?: AbortSignal
  onProgress?: (done: number, total: number) => void
}

/** Judges one model on its labelled data, with any layers replaced. */
export interface Evaluator {
  /**
   * Runs the model on the inputs that are set aside for calibration.
   * @throws AppError TASK_INVALID when the task sets none aside
   */
  calibrator(): Calibrator
  /** @throws AppError CANCELLED between two batches once `signal` is aborted */
  evaluate(changes: ReadonlyMap<string, LayerChange>, options: EvaluateOptions): Promise<Evaluation>
  close(): Promise<void>
}

/**
 * Reads the data of a task once; every evaluation then runs the model in memory on the CPU.
 * @param base folder that relative paths of the task start from
 */
export async function openEvaluator(task: Task, base: string, model: OpenModel): Promise<Evaluator> {
  const samples = await openSamples(task, base)
  calibrationIndices(task, samples.count)
  return new RuntimeEvaluator(task, model, samples)
}

class RuntimeEvaluator implements Evaluator {
  private readonly task: Task
  private readonly model: OpenModel
  private readonly samples: Samples
  /** The unchanged model, kept because every run measures it first and often again; by threads. */
  private readonly dense = new Map<number, Session>()

  constructor(task: Task, model: OpenModel, samples: Samples) {
    this.task = task
    this.model = model
    this.samples = samples
  }

  async evaluate(changes: ReadonlyMap<string, LayerChange>, options: EvaluateOptions): Promise<Evaluation> {
    const indices = evaluationIndices(this.task, this.samples.count, options.excludeCalibration)
    const session = await this.session(changes, options.threads)
    try {
      return await this.judge(session, indices, options)
    } finally {
      if (changes.size > 0) await session.release()
    }
  }

  calibrator(): Calibrator {
    return new Calibrator(this.task, this.model, this.samples)
  }

  async close(): Promise<void> {
    for (const session of this.dense.values()) await session.release()
    this.dense.clear()
  }

  private async session(changes: ReadonlyMap<string, LayerChange>, threads: number): Promise<Session> {
    if (changes.size > 0) return await openSession(this.model.withChanges(changes), threads)
    const kept = this.dense.get(threads) ?? (await openSession(this.model.withChanges(changes), threads))
    this.dense.set(threads, kept)
    return kept
  }

  private async judge(session: Session, indices: readonly number[], { signal, onProgress }: EvaluateOptions): Promise<Evaluation> {
    const { input, output, batch } = this.task
    const scorer = openScorer(this.task, this.samples)
    for (let from = 0; from < indices.length; from += batch) {
      throwIfCancelled(signal)
      const part = indices.slice(from, from + batch)
      const outputs = await runBatch(session, input.name, this.samples.batch(part))
      const result = outputs[output.name]
      if (!result)
        throw new AppError(
          'TASK_INVALID',
          `The model has no output "${output.name}"; its outputs are ${session.outputNames.join(', ')}. Correct output.name in the task.`,
        )
      scorer.add({ values: result.data as ArrayLike<number | bigint>, dims: result.dims }, part)
      onProgress?.(Math.min(from + batch, indices.length), indices.length)
    }
    throwIfCancelled(signal)
    const scores = scorer.finish()
    return { correct: scores.correct, samples: indices.length, metrics: { ...scores.metrics, 'accuracy.samples': metric('accuracy.samples', indices.length) } }
  }
}
