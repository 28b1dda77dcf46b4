import { AppError } from '../../../contract/error.ts'
import type { Task } from '../../../contract/task.ts'
import type { InputBatch, Labels, Samples } from '../samples.ts'
import { inputArray, setValue } from './input-array.ts'

/** Positions of each sample that hold data, counted along the last axis; the others take the padding value. */
export interface FilledPositions {
  first: ArrayLike<number>
  last: ArrayLike<number> | null
}

interface Parts {
  task: Task
  /** All samples, row-major, `sampleSize` numbers each. */
  values: ArrayLike<number>
  sampleSize: number
  labels: Labels
  filled?: FilledPositions | null
}

/** Samples of one size that lie in one array: value = (stored · scale − mean) / std, repeated over channels if asked. */
export class StoredSamples implements Samples {
  readonly count: number
  readonly labels: Labels
  readonly support = null
  private readonly input: Task['input']
  private readonly values: ArrayLike<number>
  private readonly sampleSize: number
  private readonly filled: FilledPositions | null
  /** Where each value of the model's input lies in a stored sample. */
  private readonly places: Int32Array

  constructor({ task, values, sampleSize, labels, filled }: Parts) {
    checkShape(task, sampleSize)
    this.input = task.input
    this.values = values
    this.sampleSize = sampleSize
    this.count = values.length / sampleSize
    this.labels = labels
    this.filled = filled ?? null
    this.places = storedPlaces(task.input, sampleSize)
    if (labels.values.length !== this.count) {
      throw new AppError(
        'DATA_INVALID',
        `The data of the task "${task.name}" has ${this.count} inputs but ${labels.values.length} labels; name files of one set.`,
      )
    }
  }

  batch(indices: readonly number[]): InputBatch {
    const { type, shape } = this.input
    const size = this.places.length
    const values = inputArray(type, indices.length * size)
    indices.forEach((sample, row) => {
      this.fill(values, row * size, sample)
    })
    return { values, dims: [indices.length, ...shape] }
  }

  private fill(into: InputBatch['values'], offset: number, sample: number): void {
    const { scale, mean, std, padding, shape } = this.input
    const from = sample * this.sampleSize
    const width = shape.at(-1) ?? this.places.length
    const channelSize = this.places.length / (shape[0] ?? 1)
    for (let i = 0; i < this.places.length; i++) {
      if (this.filled && padding && !isFilled(this.filled, sample, i % width, width)) {
        setValue(into, offset + i, padding.value)
        continue
      }
      const channel = Math.floor(i / channelSize)
      const stored = this.values[from + (this.places[i] ?? 0)] ?? 0
      setValue(into, offset + i, (stored * scale - ofChannel(mean, channel)) / ofChannel(std, channel))
    }
  }
}

const ofChannel = (value: number | readonly number[], channel: number): number => (typeof value === 'number' ? value : (value[channel] ?? 0))

function isFilled({ first, last }: FilledPositions, sample: number, position: number, width: number): boolean {
  return position < Number(first[sample]) || (last !== null && position >= width - Number(last[sample]))
}

function checkShape(task: Task, sampleSize: number): void {
  const { shape, repeat, mean, std } = task.input
  const size = shape.reduce((product, dim) => product * dim, 1)
  if (size !== sampleSize * repeat) {
    const times = repeat === 1 ? '' : ` (${repeat} times ${sampleSize})`
    throw new AppError(
      'TASK_INVALID',
      `The task "${task.name}" gives its input the shape [${shape.join(', ')}] (${size} values), but a sample of its data holds ${sampleSize * repeat}${times}; correct input.shape.`,
    )
  }
  for (const list of [mean, std]) {
    if (typeof list !== 'number' && list.length !== shape[0]) {
      throw new AppError(
        'TASK_INVALID',
        `The task "${task.name}" gives ${list.length} numbers for input.mean or input.std, but its input has ${shape[0]} channels; give one number or ${shape[0]}.`,
      )
    }
  }
}

/** Channels-last images [h, w, c] are read into [c, h, w]; otherwise values keep their order, repeated if asked. */
function storedPlaces({ shape, layout, repeat }: Task['input'], sampleSize: number): Int32Array {
  if (layout === 'as-stored') return Int32Array.from({ length: sampleSize * repeat }, (_, i) => i % sampleSize)
  const channels = (shape[0] ?? 1) / repeat
  const pixels = sampleSize / channels
  return Int32Array.from({ length: sampleSize * repeat }, (_, i) => {
    const place = i % sampleSize
    return (place % pixels) * channels + Math.floor(place / pixels)
  })
}
