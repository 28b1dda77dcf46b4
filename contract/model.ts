import * as v from 'valibot'

/** One weight as the layer view shows it. */
export const LayerInfo = v.object({
  name: v.string(),
  /** The operator that uses it: Conv, MatMul or Gemm. */
  op: v.string(),
  /** GEMM view: M output channels × K input channels (times the kernel window). */
  rows: v.number(),
  cols: v.number(),
  /** Shape as stored, and what its axes mean. */
  shape: v.array(v.number()),
  axes: v.array(v.string()),
  /** What K runs over, slowest first: "in", or "kh·kw·C_in" for a convolution. */
  colAxes: v.string(),
  dtype: v.string(),
  /** Nodes that use this weight; more than one for a shared initializer, which is pruned once. */
  uses: v.array(v.string()),
  eligible: v.boolean(),
  /** Why it is left dense; null when eligible. */
  reason: v.nullable(v.string()),
})
export type LayerInfo = v.InferOutput<typeof LayerInfo>

export const ModelInfo = v.object({
  name: v.string(),
  format: v.string(),
  /** SHA-256 of the file, hex; of its size and 64 samples for a file of bare tensors above 256 MiB. */
  hash: v.string(),
  bytes: v.number(),
  layers: v.array(LayerInfo),
})
export type ModelInfo = v.InferOutput<typeof ModelInfo>
