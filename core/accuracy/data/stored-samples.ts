import { AppError } from '../../../contract/error.ts'
import type { Task } from '../../../contract/task.ts'
import type { InputBatch, Labels, Samples } from '../samples.ts'
import { inputArray, setValue } from './input-array.ts'

/** Which positions of a sample hold data; the others take the padding value. Positions are along the last axis. */
export interface Padding {
  value: number
  first: ArrayLike<number>
  last: ArrayLike<number> | null
}

interface Parts {
  task: Task
  /** All samples, row-major, `sampleSize` numbers each. */
  values: ArrayLike<number>
  sampleSize: number
  labels: Labels
  padding?: Padding | null
}

/** Samples of one size that lie in one array: value = (stored · scale − mean) / std, repeated over channels if asked. */
export class StoredSamples implements Samples {
  readonly count: number
  readonly labels: Labels
  private readonly input: Task['input']
  private readonly values: ArrayLike<number>
  private readonly sampleSize: number
  private readonly padding: Padding | null
  private readonly paddingValue: number

  constructor({ task, values, sampleSize, labels, padding }: Parts) {
    const shape = task.input.shape
    const size = shape.reduce((product, dim) => product * dim, 1)
    if (size !== sampleSize * task.input.repeat) {
      const times = task.input.repeat === 1 ? '' : ` (${task.input.repeat} times ${sampleSize})`
      throw new AppError(
        'TASK_INVALID',
        `The task "${task.name}" gives its input the shape [${shape.join(', ')}] (${size} values), but a sample of its data holds ${sampleSize * task.input.repeat}${times}; correct input.shape.`,
      )
    }
    this.input = task.input
    this.values = values
    this.sampleSize = sampleSize
    this.count = values.length / sampleSize
    this.labels = labels
    this.padding = padding ?? null
    this.paddingValue = padding?.value ?? 0
  }

  batch(indices: readonly number[]): InputBatch {
    const { type, shape, repeat } = this.input
    const size = this.sampleSize * repeat
    const values = inputArray(type, indices.length * size)
    indices.forEach((sample, row) => {
      for (let channel = 0; channel < repeat; channel++) this.fill(values, row * size + channel * this.sampleSize, sample)
    })
    return { values, dims: [indices.length, ...shape] }
  }

  private fill(into: InputBatch['values'], offset: number, sample: number): void {
    const { scale, mean, std } = this.input
    const from = sample * this.sampleSize
    const width = this.input.shape.at(-1) ?? this.sampleSize
    for (let i = 0; i < this.sampleSize; i++) {
      const padded = this.padding !== null && isPadding(this.padding, sample, i % width, width)
      setValue(into, offset + i, padded ? this.paddingValue : ((this.values[from + i] ?? 0) * scale - mean) / std)
    }
  }
}

function isPadding({ first, last }: Padding, sample: number, position: number, width: number): boolean {
  const beforeLast = last === null || position < width - Number(last[sample])
  return position >= Number(first[sample]) && beforeLast
}
