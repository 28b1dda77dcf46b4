import { AppError } from '../../../contract/error.ts'
import { metric } from '../../../contract/metric.ts'
import type { OutputBatch, Scorer, Scores } from './scorer.ts'

/**
 * Top-1 accuracy: the share of samples whose largest output is the label; at equal outputs the lowest index counts
 * as the largest, as in every framework.
 */
export class TopScorer implements Scorer {
  private readonly labels: Int32Array
  private readonly correct: number[] = []

  constructor(labels: Int32Array) {
    this.labels = labels
  }

  add({ values, dims }: OutputBatch, samples: readonly number[]): void {
    const classes = values.length / samples.length
    if (dims[0] !== samples.length || !Number.isInteger(classes)) {
      throw new AppError(
        'TASK_INVALID',
        `The output has the shape [${dims.join(', ')}] for ${samples.length} samples, but top-1 needs one row of classes a sample; name another output.`,
      )
    }
    samples.forEach((sample, row) => {
      const label = this.labels[sample] ?? -1
      if (label < 0 || label >= classes)
        throw new AppError('DATA_INVALID', `The label ${label} of sample ${sample} is out of range: the output has ${classes} classes.`)
      this.correct.push(largest(values, row * classes, classes) === label ? 1 : 0)
    })
  }

  finish(): Scores {
    const correct = Uint8Array.from(this.correct)
    const right = correct.reduce((sum, one) => sum + one, 0)
    return { correct, metrics: { 'accuracy.top1': metric('accuracy.top1', (100 * right) / correct.length) } }
  }
}

function largest(values: ArrayLike<number | bigint>, start: number, count: number): number {
  let best = 0
  for (let i = 1; i < count; i++) {
    if ((values[start + i] ?? 0) > (values[start + best] ?? 0)) best = i
  }
  return best
}
