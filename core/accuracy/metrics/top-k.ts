import { AppError } from '../../../contract/error.ts'
import { metric } from '../../../contract/metric.ts'
import { percentOfOnes, rowSize } from './output-rows.ts'
import type { OutputBatch, Scorer, Scores } from './scorer.ts'

/**
 * Top-1 or top-5 accuracy: the share of samples whose label is among the k largest outputs. Of equal outputs those
 * with the lower index count as larger.
 */
export class TopScorer implements Scorer {
  private readonly labels: Int32Array
  private readonly k: 1 | 5
  private readonly first: number[] = []
  private readonly among: number[] = []

  constructor(labels: Int32Array, k: 1 | 5) {
    this.labels = labels
    this.k = k
  }

  add(output: OutputBatch, samples: readonly number[]): void {
    const classes = rowSize(output, samples)
    samples.forEach((sample, row) => {
      const label = this.labels[sample] ?? -1
      if (label < 0 || label >= classes)
        throw new AppError('DATA_INVALID', `The label ${label} of sample ${sample} is out of range: the output has ${classes} classes, 0 to ${classes - 1}.`)
      const ahead = countAhead(output.values, row * classes, classes, label)
      this.first.push(ahead === 0 ? 1 : 0)
      this.among.push(ahead < this.k ? 1 : 0)
    })
  }

  finish(): Scores {
    const correct = Uint8Array.from(this.among)
    const top1 = metric('accuracy.top1', percentOfOnes(Uint8Array.from(this.first)))
    if (this.k === 1) return { correct, losses: null, metrics: { 'accuracy.top1': top1 } }
    return { correct, losses: null, metrics: { 'accuracy.top1': top1, 'accuracy.top5': metric('accuracy.top5', percentOfOnes(correct)) } }
  }
}

/** How many outputs rank before the label's; a label whose output is not a number is behind all. */
function countAhead(values: ArrayLike<number | bigint>, start: number, classes: number, label: number): number {
  const own = values[start + label] ?? NaN
  if (Number.isNaN(Number(own))) return classes
  let ahead = 0
  for (let i = 0; i < classes; i++) {
    const other = values[start + i] ?? NaN
    if (other > own || (other === own && i < label)) ahead += 1
  }
  return ahead
}
