import * as v from 'valibot'

/**
 * A task: one model, the labelled data that judges it, and how the two meet. Written by the app, readable by
 * people. Paths are relative to the file that holds the task; `${HINM_DATA}/…` stands for the data folder and
 * `${MODULES}/…` for the packages of the clone.
 */
const Path = v.pipe(v.string(), v.minLength(1), v.maxLength(4096))
const Name = v.pipe(v.string(), v.minLength(1), v.maxLength(200))

export const DataSource = v.variant('format', [v.strictObject({ format: v.literal('idx'), inputs: Path, labels: Path })])
export type DataSource = v.InferOutput<typeof DataSource>

export const Task = v.strictObject({
  schema: v.optional(v.literal('hinm-task/1'), 'hinm-task/1'),
  name: v.pipe(Name, v.regex(/^[\w.-]+$/, 'A name uses letters, digits, points, hyphens and underscores only.')),
  model: Path,
  data: DataSource,
  input: v.strictObject({
    name: Name,
    type: v.picklist(['float32', 'int32', 'int64']),
    /** Shape of one sample, without the batch. */
    shape: v.array(v.pipe(v.number(), v.integer(), v.minValue(1))),
    /** value = (stored · scale − mean) / std */
    scale: v.optional(v.number(), 1),
    mean: v.optional(v.number(), 0),
    std: v.optional(v.pipe(v.number(), v.gtValue(0)), 1),
    /** Times that the stored values are repeated along the first axis, for grey images into colour channels. */
    repeat: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 1),
  }),
  output: v.strictObject({ name: Name }),
  metric: v.picklist(['top-1']),
  /** Samples a run of the model. A cancel is obeyed between two batches, so keep one below 0.2 s. */
  batch: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65536)), 100),
  /** Samples set aside: their inputs calibrate, and a run that calibrates never evaluates them. */
  calibration: v.optional(
    v.strictObject({
      first: v.pipe(v.number(), v.integer(), v.minValue(0)),
      count: v.pipe(v.number(), v.integer(), v.minValue(1)),
    }),
  ),
})
export type Task = v.InferOutput<typeof Task>

export const Project = v.strictObject({
  schema: v.literal('hinm-project/1'),
  name: Name,
  description: v.optional(v.string(), ''),
  tasks: v.pipe(v.array(Task), v.minLength(1, 'A project names at least one task.')),
  defaults: v.optional(
    v.strictObject({
      patterns: v.optional(v.array(v.string())),
      /** Total sparsities in per cent. */
      sparsities: v.optional(v.array(v.number())),
      vectors: v.optional(v.array(v.number())),
      strategies: v.optional(v.array(v.string())),
    }),
    {},
  ),
})
export type Project = v.InferOutput<typeof Project>
