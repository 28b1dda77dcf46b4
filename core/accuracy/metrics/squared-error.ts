import { AppError } from '../../../contract/error.ts'
import { metric } from '../../../contract/metric.ts'
import { rowSize } from './output-rows.ts'
import type { OutputBatch, Scorer, Scores } from './scorer.ts'

/** Mean squared error over all output values; the loss of a sample is the mean over its own values. */
export class SquaredErrorScorer implements Scorer {
  private readonly labels: readonly Float32Array[]
  private readonly losses: number[] = []

  constructor(labels: readonly Float32Array[]) {
    this.labels = labels
  }

  add(output: OutputBatch, samples: readonly number[]): void {
    const size = rowSize(output, samples)
    samples.forEach((sample, row) => {
      const label = this.labels[sample] ?? new Float32Array(0)
      if (label.length !== size) {
        throw new AppError(
          'TASK_INVALID',
          `The output gives ${size} values a sample, but the label of sample ${sample} has ${label.length}; name another output or other labels.`,
        )
      }
      const sum = label.reduce((total, value, i) => total + (Number(output.values[row * size + i]) - value) ** 2, 0)
      this.losses.push(sum / size)
    })
  }

  finish(): Scores {
    const losses = Float64Array.from(this.losses)
    return { correct: new Uint8Array(0), losses, metrics: { 'loss.mse': metric('loss.mse', losses.reduce((sum, loss) => sum + loss, 0) / losses.length) } }
  }
}
