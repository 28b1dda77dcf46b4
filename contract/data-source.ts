import * as v from 'valibot'

/**
 * Where the labelled samples of a task lie. Paths are relative to the file that holds the task. A `key` names a
 * member of a JSON object; every file may be gzip. Inputs are read in the order of the file.
 */
export const Path = v.pipe(v.string(), v.minLength(1), v.maxLength(4096))
const Key = v.pipe(v.string(), v.minLength(1), v.maxLength(200))
const Index = v.pipe(v.number(), v.integer(), v.minValue(0))

/** How a text becomes symbols, and symbols become numbers: their place in a list of the same file. */
const Vocabulary = v.strictObject({
  key: Key,
  /** Between two symbols; an empty text makes every character a symbol. */
  separator: v.optional(v.string(), ''),
  /** A symbol that is put behind every sequence. */
  end: v.optional(v.string()),
})
export type Vocabulary = v.InferOutput<typeof Vocabulary>

export const DataSource = v.variant('format', [
  /** Unsigned bytes with a shape, as MNIST has them, and one label a sample. */
  v.strictObject({ format: v.literal('idx'), inputs: Path, labels: Path }),
  /** numpy arrays with the samples on the first axis; in an npz archive the array is named behind `#`. */
  v.strictObject({ format: v.literal('npy'), inputs: Path, labels: Path }),
  /** One sample a line of numbers; `label` names the column of the label by its title or its number from 0. */
  v.strictObject({
    format: v.literal('csv'),
    file: Path,
    label: v.union([v.string(), Index]),
    header: v.optional(v.boolean(), true),
    separator: v.optional(v.pipe(v.string(), v.length(1)), ','),
  }),
  /** Samples of one size as raw unsigned bytes; labels and lengths are lists in a JSON object beside them. */
  v.strictObject({ format: v.literal('bytes'), inputs: Path, fields: Path, labels: Key }),
  /** Lists of tokens, or texts with a vocabulary, in one JSON object. */
  v.strictObject({
    format: v.literal('json'),
    file: Path,
    /** Member that lists the samples as objects; without it `inputs` and `labels` are lists of the object itself. */
    samples: v.optional(Key),
    inputs: Key,
    labels: Key,
    /** Member that lists labelled samples to compare with, for nearest centroid; they may calibrate. */
    support: v.optional(Key),
    inputVocabulary: v.optional(Vocabulary),
    labelVocabulary: v.optional(Vocabulary),
  }),
  /** One JSON object a line, each with a list of tokens and a label. */
  v.strictObject({ format: v.literal('json-lines'), file: Path, inputs: Key, labels: Key }),
  /** Plain text for next-token prediction, cut into windows that follow one another. */
  v.strictObject({
    format: v.literal('text'),
    file: Path,
    /** JSON file with the list of symbols under `key`; the place of a character is its token. */
    alphabet: v.strictObject({ file: Path, key: Key }),
    /** Share of the text that is not evaluated; what lies before it may calibrate. */
    from: v.optional(v.pipe(v.number(), v.minValue(0), v.ltValue(1)), 0),
    window: v.pipe(v.number(), v.integer(), v.minValue(1)),
  }),
  /** PNG images, one folder a class; classes are numbered in the order of the folder names. */
  v.strictObject({ format: v.literal('images'), folder: Path }),
])
export type DataSource = v.InferOutput<typeof DataSource>
