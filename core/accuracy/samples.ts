/** Arrays that a model input may be filled from. */
export type InputArray = Float32Array | Int32Array | BigInt64Array

/** Model input of some samples: row-major values with the batch as first axis. */
export interface InputBatch {
  values: InputArray
  dims: number[]
}

/** What is known to be right, by kind; a metric says which kind it needs. */
export type Labels =
  | { kind: 'classes'; values: Int32Array }
  | { kind: 'tokens'; values: Int32Array[] }
  | { kind: 'texts'; values: string[] }
  | { kind: 'vectors'; values: Float32Array[] }
  | { kind: 'none' }

/** Labelled samples, ready for the model; batches are made when asked for, so memory is bounded by the batch. */
export interface Samples {
  readonly count: number
  readonly labels: Labels
  batch(indices: readonly number[]): InputBatch
}
