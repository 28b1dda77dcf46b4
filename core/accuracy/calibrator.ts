import { AppError } from '../../contract/error.ts'
import type { Task } from '../../contract/task.ts'
import type { LayerChange, OpenModel } from '../model/open-model.ts'
import { calibrationSet } from './calibration-split.ts'
import type { CalibrationSet } from './calibration-split.ts'
import { throwIfCancelled } from './cancellation.ts'
import { openSession, runBatch } from './runtime.ts'
import type { Samples } from './samples.ts'

export interface CalibrateOptions {
  threads: number
  signal?: AbortSignal
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
   * Runs all calibration inputs through the model with `changes` and calls `visit` once a batch with the named
   * activations. Memory is bounded by the batch.
   */
  async run(
    changes: ReadonlyMap<string, LayerChange>,
    tensors: readonly string[],
    { threads, signal }: CalibrateOptions,
    visit: (activations: ReadonlyMap<string, Activation>) => void | Promise<void>,
  ): Promise<void> {
    const session = await openSession(this.model.withOutputs(changes, tensors), threads)
    try {
      const { samples, indices } = this.set
      for (let from = 0; from < indices.length; from += this.task.batch) {
        throwIfCancelled(signal)
        const outputs = await runBatch(session, this.task.input.name, samples.batch(indices.slice(from, from + this.task.batch)), tensors)
        await visit(new Map(tensors.map((name) => [name, activation(name, outputs[name])])))
      }
      throwIfCancelled(signal)
    } finally {
      await session.release()
    }
  }
}

function activation(name: string, tensor: { data: unknown; dims: readonly number[] } | undefined): Activation {
  if (!(tensor?.data instanceof Float32Array)) {
    throw new AppError('MODEL_UNSUPPORTED', `The activation "${name}" is not float32, so it cannot calibrate; export the model in float32.`)
  }
  return { values: tensor.data, dims: tensor.dims }
}
