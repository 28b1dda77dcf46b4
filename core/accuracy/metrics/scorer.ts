import type { Metrics } from '../../../contract/metric.ts'

/** Output of the model for one batch. */
export interface OutputBatch {
  values: ArrayLike<number | bigint>
  dims: readonly number[]
}

export interface Scores {
  metrics: Metrics
  /** 1 where the sample counts as right. */
  correct: Uint8Array
}

/** Judges outputs, batch by batch, in the order of the samples. */
export interface Scorer {
  add(output: OutputBatch, samples: readonly number[]): void
  finish(): Scores
}
