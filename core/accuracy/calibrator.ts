import { AppError } from '../../contract/error.ts'
import type { Task } from '../../contract/task.ts'
import type { LayerChange, OpenModel } from '../model/open-model.ts'
import { calibrationSet } from './calibration-split.ts'
import type { CalibrationSet } from './calibration-split.ts'
import { throwIfCancelled } from './cancellation.ts'
import { openSession, runBatch } from './runtime.ts'
import type { Session } from './runtime.ts'
import type { InputBatch, Samples } from './samples.ts'

export interface CalibrateOptions {
  threads: number
  signal?: AbortSignal
}

/** One state of the model, and the activations that are wanted of it. */
export interface Variant {
  changes: ReadonlyMap<string, LayerChange>
  tensors: readonly string[]
}

/** An activation of one batch, row-major float32. */
export interface Activation {
  values: Float32Array
  dims: readonly number[]
}

/** Runs a model on the inputs set aside for calibration and shows its inner activations. Labels are never read. */
export class Calibrator {
  readonly model: OpenModel
  readonly samples: number
  private readonly task: Task
  private readonly set: CalibrationSet

  constructor(task: Task, model: OpenModel, data: Samples) {
    this.task = task
    this.model = model
    const set = calibrationSet(task, data)
    if (!set) {
      throw new AppError(
        'TASK_INVALID',
        `The task "${task.name}" sets no samples aside for calibration; give it "calibration" with first and count, or choose no correction.`,
      )
    }
    this.set = set
    this.samples = set.indices.length
  }

  /**
   * Runs all calibration inputs through one or several variants of the model in step and calls `visit` once a batch
   * with the activations of each. Memory is bounded by the batch.
   */
  async run(
    variants: readonly Variant[],
    { threads, signal }: CalibrateOptions,
    visit: (activations: ReadonlyMap<string, Activation>[]) => void | Promise<void>,
  ): Promise<void> {
    const sessions: Session[] = []
    const { samples, indices } = this.set
    try {
      for (const { changes, tensors } of variants) sessions.push(await openSession(this.model.withOutputs(changes, tensors), threads))
      for (let from = 0; from < indices.length; from += this.task.batch) {
        throwIfCancelled(signal)
        const batch = samples.batch(indices.slice(from, from + this.task.batch))
        const activations: Map<string, Activation>[] = []
        for (const [index, { tensors }] of variants.entries()) activations.push(await this.activations(sessions[index]!, batch, tensors))
        await visit(activations)
      }
      throwIfCancelled(signal)
    } finally {
      for (const session of sessions) await session.release()
    }
  }

  private async activations(session: Session, batch: InputBatch, tensors: readonly string[]): Promise<Map<string, Activation>> {
    const outputs = await runBatch(session, this.task.input.name, batch)
    return new Map(tensors.map((name) => [name, activation(name, outputs[name])]))
  }
}

function activation(name: string, tensor: { data: unknown; dims: readonly number[] } | undefined): Activation {
  if (!(tensor?.data instanceof Float32Array)) {
    throw new AppError('MODEL_UNSUPPORTED', `The activation "${name}" is not float32, so it cannot calibrate; export the model in float32.`)
  }
  return { values: tensor.data, dims: tensor.dims }
}
