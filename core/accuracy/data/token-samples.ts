import { AppError } from '../../../contract/error.ts'
import type { Task } from '../../../contract/task.ts'
import type { InputBatch, Labels, Samples } from '../samples.ts'
import { inputArray, setValue } from './input-array.ts'

interface Parts {
  task: Task
  sequences: readonly Int32Array[]
  labels: Labels
  support?: Samples | null
}

/** Sequences of tokens of different lengths, padded to the input's shape or to the longest of a batch. */
export class TokenSamples implements Samples {
  readonly count: number
  readonly labels: Labels
  readonly support: Samples | null
  private readonly input: Task['input']
  private readonly sequences: readonly Int32Array[]
  private readonly longest: number

  constructor({ task, sequences, labels, support }: Parts) {
    const [longest, ...rest] = task.input.shape
    if (longest === undefined || rest.length > 0) {
      throw new AppError('TASK_INVALID', `The task "${task.name}" feeds sequences of tokens, so its input.shape is one number, the greatest length.`)
    }
    const long = sequences.findIndex((sequence) => sequence.length > longest)
    if (long >= 0) {
      throw new AppError(
        'DATA_INVALID',
        `Sample ${long} of the task "${task.name}" has ${sequences[long]?.length} tokens, but input.shape allows ${longest}; raise it or leave the sample out.`,
      )
    }
    const ragged = sequences.findIndex((sequence) => sequence.length !== longest)
    if (ragged >= 0 && !task.input.padding) {
      throw new AppError(
        'TASK_INVALID',
        `Sample ${ragged} of the task "${task.name}" is shorter than input.shape; say in input.padding.value what fills the rest.`,
      )
    }
    this.count = sequences.length
    this.labels = labels
    this.support = support ?? null
    this.input = task.input
    this.sequences = sequences
    this.longest = longest
  }

  batch(indices: readonly number[]): InputBatch {
    const { type, padding } = this.input
    const chosen = indices.map((index) => this.sequences[index] ?? new Int32Array(0))
    const width = padding?.to === 'longest' ? Math.max(1, ...chosen.map((sequence) => sequence.length)) : this.longest
    const values = inputArray(type, chosen.length * width)
    chosen.forEach((sequence, row) => {
      for (let i = 0; i < width; i++) setValue(values, row * width + i, sequence[i] ?? padding?.value ?? 0)
    })
    return { values, dims: [chosen.length, width] }
  }
}
