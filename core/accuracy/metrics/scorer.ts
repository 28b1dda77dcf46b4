import type { Metrics } from '../../../contract/metric.ts'

/** Output of the model for one batch. */
export interface OutputBatch {
  values: ArrayLike<number | bigint>
  dims: readonly number[]
}

export interface Scores {
  metrics: Metrics
  /** 1 where a judged item is right: a sample, or a position of a text for perplexity; empty where nothing is right or wrong. */
  correct: Uint8Array
  /** One loss a sample for metrics that have losses, in the order of the samples; else null. */
  losses: Float64Array | null
}

/** Judges outputs, batch by batch, in the order of the samples. */
export interface Scorer {
  /** Outputs of support samples, before any other; only the metrics that compare with them ask for it. */
  addSupport?(output: OutputBatch, samples: readonly number[]): void
  add(output: OutputBatch, samples: readonly number[]): void
  finish(): Scores
}
