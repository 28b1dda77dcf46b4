import * as v from 'valibot'
import { DataSource, Path } from './data-source.ts'
import type { MetricId } from './metric.ts'

/**
 * A task: one model, the labelled data that judges it, and how the two meet. Written by the app, readable by
 * people. Paths are relative to the file that holds the task; `${HINM_DATA}/…` stands for the data folder and
 * `${MODULES}/…` for the packages of the clone.
 */
const Name = v.pipe(v.string(), v.minLength(1), v.maxLength(200))
const Index = v.pipe(v.number(), v.integer(), v.minValue(0))
const Count = v.pipe(v.number(), v.integer(), v.minValue(1))

/** What judges a task, and the number by which runs are compared. */
export const taskMetrics = {
  'top-1': 'accuracy.top1',
  'top-5': 'accuracy.top5',
  'word-accuracy': 'accuracy.word',
  'character-accuracy': 'accuracy.character',
  'nearest-centroid': 'accuracy.centroid',
  perplexity: 'loss.perplexity',
  'mean-squared-error': 'loss.mse',
} as const satisfies Record<string, MetricId>
export type TaskMetric = keyof typeof taskMetrics
export const taskMetricIds = Object.keys(taskMetrics) as TaskMetric[]

/** How an output becomes a sequence of symbols. */
const Sequence = v.variant('kind', [
  /** The output holds the symbols themselves; what follows the first `end` is not read. */
  v.strictObject({ kind: v.literal('tokens'), end: Index }),
  /** One row of classes a step: the largest, repeats merged, blanks dropped (CTC). Classes count on from 1. */
  v.strictObject({
    kind: v.literal('ctc'),
    blank: Index,
    /** A text file with one symbol a line. */
    alphabet: Path,
    /** Symbols of the classes behind the alphabet. */
    extra: v.optional(v.array(v.string()), []),
    /** Characters that neither side is judged on. */
    ignore: v.optional(v.string(), ''),
  }),
])
export type Sequence = v.InferOutput<typeof Sequence>

export const Task = v.strictObject({
  schema: v.optional(v.literal('hinm-task/1'), 'hinm-task/1'),
  name: v.pipe(Name, v.regex(/^[\w.-]+$/, 'A name uses letters, digits, points, hyphens and underscores only.')),
  model: Path,
  /** External data files of the model that are not beside it: the files that make up each, joined in order. */
  modelData: v.optional(v.record(Name, v.pipe(v.array(Path), v.minLength(1))), {}),
  data: DataSource,
  input: v.strictObject({
    name: Name,
    type: v.picklist(['float32', 'int32', 'int64']),
    /** Shape of one sample, without the batch. */
    shape: v.array(Count),
    /** value = (stored · scale − mean) / std; mean and std may name one number for each channel (the first axis). */
    scale: v.optional(v.number(), 1),
    mean: v.optional(v.union([v.number(), v.array(v.number())]), 0),
    std: v.optional(v.union([v.pipe(v.number(), v.gtValue(0)), v.array(v.pipe(v.number(), v.gtValue(0)))]), 1),
    /** Times that the stored values are repeated along the first axis, for grey images into colour channels. */
    repeat: v.optional(Count, 1),
    /** Order in which images are stored; the model gets channels first. */
    layout: v.optional(v.picklist(['as-stored', 'channels-last']), 'as-stored'),
    /** What the model gets where a sample has no data. */
    padding: v.optional(
      v.strictObject({
        value: v.number(),
        /** Lists of the data (one number a sample): positions filled from the start and from the end of the last axis. */
        first: v.optional(Name),
        last: v.optional(Name),
        /** Sequences of tokens are padded to `shape`, or only to the longest of their batch. */
        to: v.optional(v.picklist(['shape', 'longest']), 'shape'),
      }),
    ),
  }),
  output: v.strictObject({ name: Name, sequence: v.optional(Sequence) }),
  metric: v.picklist(taskMetricIds),
  /** Samples a run of the model. A cancel is obeyed between two batches, so keep one below 0.2 s. */
  batch: v.optional(v.pipe(Count, v.maxValue(65536)), 100),
  /** Samples set aside: their inputs calibrate, and a run that calibrates never evaluates them. */
  calibration: v.optional(
    v.strictObject({
      /** `support`: the samples to compare with, or the text before the evaluated part; never evaluated anyway. */
      from: v.optional(v.picklist(['samples', 'support']), 'samples'),
      first: Index,
      count: Count,
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
