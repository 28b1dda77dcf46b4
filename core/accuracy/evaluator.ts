import { AppError } from '../../contract/error.ts'
import { metric } from '../../contract/metric.ts'
import type { Metrics } from '../../contract/metric.ts'
import type { Task } from '../../contract/task.ts'
import type { LayerChange, OpenModel } from '../model/open-model.ts'
import { calibrationSet, evaluationIndices } from './calibration-split.ts'
import { Calibrator } from './calibrator.ts'
import { throwIfCancelled } from './cancellation.ts'
import { openSamples } from './data/open-samples.ts'
import { openScorer } from './metrics/open-scorer.ts'
import type { OutputBatch, Scorer } from './metrics/scorer.ts'
import { openSession, runBatch } from './runtime.ts'
import type { Session } from './runtime.ts'
import type { Samples } from './samples.ts'

export interface Evaluation {
  metrics: Metrics
  /** Samples that were evaluated. */
  samples: number
  /** 1 where a judged item is right, in order: a sample, or a position of a text for perplexity; empty for mean squared error. */
  correct: Uint8Array
  /** One loss a sample where the metric has losses (cross-entropy in nats, edit distance, squared error); else null. */
  losses: Float64Array | null
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
  calibrationSet(task, samples)
  return new RuntimeEvaluator(task, model, samples, await openScorer(task, samples, base))
}

class RuntimeEvaluator implements Evaluator {
  private readonly task: Task
  private readonly model: OpenModel
  private readonly samples: Samples
  private readonly newScorer: () => Scorer
  /** The unchanged model, kept because every run measures it first and often again; by threads. */
  private readonly dense = new Map<number, Session>()

  constructor(task: Task, model: OpenModel, samples: Samples, newScorer: () => Scorer) {
    this.task = task
    this.model = model
    this.samples = samples
    this.newScorer = newScorer
  }

  async evaluate(changes: ReadonlyMap<string, LayerChange>, options: EvaluateOptions): Promise<Evaluation> {
    const indices = evaluationIndices(this.task, this.samples, options.excludeCalibration)
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
    const scorer = this.newScorer()
    const support = scorer.addSupport ? this.samples.support : null
    const total = indices.length + (support?.count ?? 0)
    let done = 0
    const pass = async (samples: Samples, chosen: readonly number[], take: (output: OutputBatch, part: readonly number[]) => void): Promise<void> => {
      for (let from = 0; from < chosen.length; from += this.task.batch) {
        throwIfCancelled(signal)
        const part = chosen.slice(from, from + this.task.batch)
        take(await this.output(session, samples, part), part)
        done += part.length
        onProgress?.(done, total)
      }
    }
    if (support) {
      const all = Array.from({ length: support.count }, (_, i) => i)
      await pass(support, all, (output, part) => scorer.addSupport?.(output, part))
    }
    await pass(this.samples, indices, (output, part) => {
      scorer.add(output, part)
    })
    throwIfCancelled(signal)
    const { metrics, correct, losses } = scorer.finish()
    return { correct, losses, samples: indices.length, metrics: { ...metrics, 'accuracy.samples': metric('accuracy.samples', indices.length) } }
  }

  private async output(session: Session, samples: Samples, part: readonly number[]): Promise<OutputBatch> {
    const { input, output } = this.task
    const outputs = await runBatch(session, input.name, samples.batch(part))
    const result = outputs[output.name]
    if (!result)
      throw new AppError(
        'TASK_INVALID',
        `The model has no output "${output.name}"; its outputs are ${session.outputNames.join(', ')}. Correct output.name in the task.`,
      )
    return { values: result.data as ArrayLike<number | bigint>, dims: result.dims }
  }
}
