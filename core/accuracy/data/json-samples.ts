import { resolve } from 'node:path'
import type { DataSource, Vocabulary } from '../../../contract/data-source.ts'
import { AppError } from '../../../contract/error.ts'
import type { Task } from '../../../contract/task.ts'
import type { Labels, Samples } from '../samples.ts'
import { anything, objects, readJsonLines, readJsonObject, texts } from './json-file.ts'
import type { JsonObject } from './json-file.ts'
import { TokenSamples } from './token-samples.ts'

type SourceOf<Format> = Extract<DataSource, { format: Format }>

/** Sequences and labels from one JSON object. @throws AppError DATA_MISSING, DATA_INVALID or TASK_INVALID */
export async function openJson(task: Task, source: SourceOf<'json'>, base: string): Promise<Samples> {
  const path = resolve(base, source.file)
  const json = await readJsonObject(path)
  const inputs = symbolReader(json, path, source.inputVocabulary)
  const labels = symbolReader(json, path, source.labelVocabulary)
  const open = (records: JsonObject[] | null, support: Samples | null): Samples => {
    const values = (key: string): unknown[] => (records ? records.map((record) => record[key]) : anything(json, key, path))
    return tokenSamples(task, values(source.inputs).map(inputs), readLabels(values(source.labels), labels, path), support)
  }
  const support = source.support ? open(objects(json, source.support, path), null) : null
  return open(source.samples ? objects(json, source.samples, path) : null, support)
}

/** One JSON object a line. */
export async function openJsonLines(task: Task, source: SourceOf<'json-lines'>, base: string): Promise<Samples> {
  const path = resolve(base, source.file)
  const records = await readJsonLines(path)
  const read = symbolReader({}, path)
  const values = (key: string): unknown[] => records.map((record) => record[key])
  return tokenSamples(task, values(source.inputs).map(read), readLabels(values(source.labels), read, path), null)
}

function tokenSamples(task: Task, sequences: Int32Array[], labels: Labels, support: Samples | null): Samples {
  if (labels.values.length !== sequences.length) {
    throw new AppError(
      'DATA_INVALID',
      `The data of the task "${task.name}" has ${sequences.length} inputs but ${labels.values.length} labels; name two lists of one length.`,
    )
  }
  return new TokenSamples({ task, sequences, labels, support })
}

type SymbolReader = (value: unknown, index: number) => Int32Array

/** Turns an entry into tokens: a list of whole numbers as it is, a text through the vocabulary. */
function symbolReader(json: JsonObject, path: string, vocabulary?: Vocabulary): SymbolReader {
  if (!vocabulary) {
    return (value, index) => {
      if (Array.isArray(value) && value.every((item) => Number.isSafeInteger(item))) return Int32Array.from(value as number[])
      throw new AppError('DATA_INVALID', `Sample ${index} of the data file ${path} is not a list of whole numbers; give tokens, or a vocabulary for texts.`)
    }
  }
  const places = new Map(texts(json, vocabulary.key, path).map((symbol, place) => [symbol, place]))
  return (value, index) => {
    if (typeof value !== 'string') throw new AppError('DATA_INVALID', `Sample ${index} of the data file ${path} is not a text.`)
    const symbols = vocabulary.separator === '' ? Array.from(value) : value.split(vocabulary.separator)
    return Int32Array.from([...symbols, ...(vocabulary.end === undefined ? [] : [vocabulary.end])], (symbol) => {
      const place = places.get(symbol)
      if (place === undefined)
        throw new AppError('DATA_INVALID', `Sample ${index} of the data file ${path} holds "${symbol}", which is not in its list "${vocabulary.key}".`)
      return place
    })
  }
}

/** Whole numbers are classes; anything else must be sequences. */
function readLabels(values: readonly unknown[], read: SymbolReader, path: string): Labels {
  if (values.every((value) => Number.isSafeInteger(value))) return { kind: 'classes', values: Int32Array.from(values as number[]) }
  if (values.some((value) => typeof value === 'number' || value === undefined || value === null)) {
    const wrong = values.findIndex((value) => !Number.isSafeInteger(value))
    throw new AppError(
      'DATA_INVALID',
      `The label of sample ${wrong} in the data file ${path} is ${String(values[wrong])}, but the others are of another kind; a label is a class number or a sequence.`,
    )
  }
  return { kind: 'tokens', values: values.map(read) }
}
