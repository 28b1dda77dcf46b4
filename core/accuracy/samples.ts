/** Arrays that a model input may be filled from. */
export type InputArray = Float32Array | Int32Array | BigInt64Array

/** Model input of some samples: row-major values with the batch as first axis. */
export interface InputBatch {
  values: InputArray
  dims: number[]
}

/** What is known to be right, by kind; a metric says which kind it needs. One entry a sample. */
export type Labels =
  | { kind: 'classes'; values: Int32Array }
  /** Sequences of tokens: what the output should read, or the next token at every position. */
  | { kind: 'tokens'; values: readonly Int32Array[] }
  | { kind: 'texts'; values: readonly string[] }
  | { kind: 'numbers'; values: readonly Float32Array[] }

/** Labelled samples, ready for the model; batches are made when asked for, so memory is bounded by the batch. */
export interface Samples {
  readonly count: number
  readonly labels: Labels
  /** Samples that are never evaluated: the labelled ones to compare with, or the text before the evaluated part. */
  readonly support: Samples | null
  batch(indices: readonly number[]): InputBatch
}
