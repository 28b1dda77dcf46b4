import { resolve } from 'node:path'
import type { DataSource } from '../../../contract/data-source.ts'
import { AppError } from '../../../contract/error.ts'
import type { Task } from '../../../contract/task.ts'
import type { Samples } from '../samples.ts'
import { openCsv } from './csv-samples.ts'
import { readDataFile } from './data-file.ts'
import { readIdx } from './idx.ts'
import { openImages } from './image-samples.ts'
import { readJsonObject, texts, wholeNumbers, anything } from './json-file.ts'
import { openJson, openJsonLines } from './json-samples.ts'
import { openNpy } from './npy-samples.ts'
import { StoredSamples } from './stored-samples.ts'
import { openText } from './text-samples.ts'

type SourceOf<Format> = Extract<DataSource, { format: Format }>

/**
 * Reads the labelled data of a task.
 * @param base folder that relative paths start from
 * @throws AppError DATA_MISSING, DATA_INVALID or TASK_INVALID
 */
export async function openSamples(task: Task, base: string): Promise<Samples> {
  const { data } = task
  switch (data.format) {
    case 'idx':
      return await openIdx(task, data, base)
    case 'npy':
      return await openNpy(task, data, base)
    case 'csv':
      return await openCsv(task, data, base)
    case 'bytes':
      return await openBytes(task, data, base)
    case 'json':
      return await openJson(task, data, base)
    case 'json-lines':
      return await openJsonLines(task, data, base)
    case 'text':
      return await openText(task, data, base)
    case 'images':
      return await openImages(task, data, base)
  }
}

async function openIdx(task: Task, source: SourceOf<'idx'>, base: string): Promise<Samples> {
  const [inputPath, labelPath] = [resolve(base, source.inputs), resolve(base, source.labels)]
  const inputs = readIdx(await readDataFile(inputPath), inputPath)
  const labels = readIdx(await readDataFile(labelPath), labelPath)
  if (labels.dims.length !== 1) throw new AppError('DATA_INVALID', `The data file ${labelPath} has ${labels.dims.length} axes, but labels have one.`)
  const sampleSize = inputs.dims.slice(1).reduce((product, dim) => product * dim, 1)
  return new StoredSamples({ task, values: inputs.values, sampleSize, labels: { kind: 'classes', values: Int32Array.from(labels.values) } })
}

/** Raw bytes with a JSON file of lists beside them: labels, and how much of each sample is filled. */
async function openBytes(task: Task, source: SourceOf<'bytes'>, base: string): Promise<Samples> {
  const [inputPath, fieldsPath] = [resolve(base, source.inputs), resolve(base, source.fields)]
  const values = await readDataFile(inputPath)
  const fields = await readJsonObject(fieldsPath)
  const { shape, repeat, padding } = task.input
  const sampleSize = shape.reduce((product, dim) => product * dim, 1) / repeat
  if (values.length === 0 || values.length % sampleSize !== 0) {
    throw new AppError(
      'DATA_INVALID',
      `The data file ${inputPath} holds ${values.length} bytes, no whole number of samples of ${sampleSize}; correct input.shape.`,
    )
  }
  const isText = anything(fields, source.labels, fieldsPath).every((label) => typeof label === 'string')
  return new StoredSamples({
    task,
    values,
    sampleSize,
    labels: isText
      ? { kind: 'texts', values: texts(fields, source.labels, fieldsPath) }
      : { kind: 'classes', values: Int32Array.from(wholeNumbers(fields, source.labels, fieldsPath)) },
    filled:
      padding?.first === undefined
        ? null
        : { first: wholeNumbers(fields, padding.first, fieldsPath), last: padding.last === undefined ? null : wholeNumbers(fields, padding.last, fieldsPath) },
  })
}
