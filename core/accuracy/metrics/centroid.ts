import { metric } from '../../../contract/metric.ts'
import { largest, percentOfOnes, rowSize } from './output-rows.ts'
import type { OutputBatch, Scorer, Scores } from './scorer.ts'

/**
 * Nearest-centroid accuracy of embeddings: the centroid of a class is the normalised mean of the outputs of its
 * support samples; a sample gets the class of the largest dot product.
 */
export class CentroidScorer implements Scorer {
  private readonly supportLabels: Int32Array
  private readonly labels: Int32Array
  private readonly sums: Float64Array[] = []
  private readonly correct: number[] = []
  private centroids: Float64Array[] | null = null

  constructor(supportLabels: Int32Array, labels: Int32Array) {
    this.supportLabels = supportLabels
    this.labels = labels
    const classes = supportLabels.reduce((most, label) => Math.max(most, label + 1), 0)
    this.sums = Array.from({ length: classes }, () => new Float64Array(0))
  }

  addSupport(output: OutputBatch, samples: readonly number[]): void {
    const size = rowSize(output, samples)
    samples.forEach((sample, row) => {
      const label = this.supportLabels[sample] ?? 0
      const sum = this.sums[label]?.length ? this.sums[label] : new Float64Array(size)
      for (let i = 0; i < size; i++) sum[i] = (sum[i] ?? 0) + Number(output.values[row * size + i])
      this.sums[label] = sum
    })
  }

  add(output: OutputBatch, samples: readonly number[]): void {
    const size = rowSize(output, samples)
    this.centroids ??= this.sums.map(normalised)
    const centroids = this.centroids
    samples.forEach((sample, row) => {
      const scores = centroids.map((centroid) => dot(centroid, output.values, row * size))
      this.correct.push(largest(scores, 0, scores.length) === this.labels[sample] ? 1 : 0)
    })
  }

  finish(): Scores {
    const correct = Uint8Array.from(this.correct)
    return { correct, losses: null, metrics: { 'accuracy.centroid': metric('accuracy.centroid', percentOfOnes(correct)) } }
  }
}

function normalised(vector: Float64Array): Float64Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  return length === 0 ? vector : vector.map((value) => value / length)
}

function dot(vector: Float64Array, values: ArrayLike<number | bigint>, start: number): number {
  let sum = 0
  for (let i = 0; i < vector.length; i++) sum += (vector[i] ?? 0) * Number(values[start + i])
  return vector.length === 0 ? -Infinity : sum
}
