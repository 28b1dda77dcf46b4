import { AppError } from '../../../contract/error.ts'
import { metric } from '../../../contract/metric.ts'
import { largest, percentOfOnes, rowSize } from './output-rows.ts'
import type { OutputBatch, Scorer, Scores } from './scorer.ts'

/**
 * Perplexity of next-token prediction: exp of the mean cross-entropy over all positions, in float64. Outputs are
 * logits [batch, positions, tokens]; the loss of a sample is the mean over its positions, in nats.
 */
export class PerplexityScorer implements Scorer {
  private readonly labels: readonly Int32Array[]
  private readonly losses: number[] = []
  private readonly correct: number[] = []

  constructor(labels: readonly Int32Array[]) {
    this.labels = labels
  }

  add(output: OutputBatch, samples: readonly number[]): void {
    const size = rowSize(output, samples)
    samples.forEach((sample, row) => {
      const targets = this.labels[sample] ?? new Int32Array(0)
      const tokens = size / targets.length
      if (!Number.isInteger(tokens)) {
        throw new AppError(
          'TASK_INVALID',
          `The output has the shape [${output.dims.join(', ')}], but perplexity needs [batch, ${targets.length}, tokens]; name another output.`,
        )
      }
      let sum = 0
      targets.forEach((target, position) => {
        const start = row * size + position * tokens
        sum += crossEntropy(output.values, start, tokens, target)
        this.correct.push(largest(output.values, start, tokens) === target ? 1 : 0)
      })
      this.losses.push(sum / targets.length)
    })
  }

  finish(): Scores {
    const losses = Float64Array.from(this.losses)
    const correct = Uint8Array.from(this.correct)
    const mean = losses.reduce((sum, loss) => sum + loss, 0) / losses.length
    return {
      correct,
      losses,
      metrics: { 'loss.perplexity': metric('loss.perplexity', Math.exp(mean)), 'accuracy.top1': metric('accuracy.top1', percentOfOnes(correct)) },
    }
  }
}

/** log Σ exp(z) − z_target, with the largest taken out first. */
function crossEntropy(values: ArrayLike<number | bigint>, start: number, count: number, target: number): number {
  const top = Number(values[start + largest(values, start, count)])
  let sum = 0
  for (let i = 0; i < count; i++) sum += Math.exp(Number(values[start + i]) - top)
  return top + Math.log(sum) - Number(values[start + target])
}
