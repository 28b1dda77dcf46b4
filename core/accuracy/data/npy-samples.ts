import { resolve } from 'node:path'
import type { DataSource } from '../../../contract/data-source.ts'
import { AppError, failureOf } from '../../../contract/error.ts'
import type { Task } from '../../../contract/task.ts'
import { readNpy } from '../../model/numpy/npy.ts'
import type { NpyArray } from '../../model/numpy/npy.ts'
import { ZipFile } from '../../model/zip-file.ts'
import type { Labels, Samples } from '../samples.ts'
import { readDataFile } from './data-file.ts'
import { StoredSamples } from './stored-samples.ts'

/** numpy arrays: samples on the first axis; labels are class numbers or, with more axes, numbers to be met. */
export async function openNpy(task: Task, source: Extract<DataSource, { format: 'npy' }>, base: string): Promise<Samples> {
  const inputs = await readArray(resolve(base, source.inputs))
  const labels = await readArray(resolve(base, source.labels))
  const count = inputs.shape[0] ?? 0
  if (count === 0) throw new AppError('DATA_INVALID', `The array ${source.inputs} holds no samples; its first axis must count them.`)
  return new StoredSamples({ task, values: inputs.values, sampleSize: inputs.values.length / count, labels: labelsOf(labels, source.labels) })
}

async function readArray(path: string): Promise<NpyArray> {
  const [file = path, member] = path.split('#')
  try {
    if (member === undefined) return readNpy(await readDataFile(file), file)
    await readDataFile(file)
    const zip = await ZipFile.open(file)
    try {
      return readNpy(await zip.read(`${member}.npy`), path)
    } finally {
      zip.close()
    }
  } catch (error) {
    const { code, message } = failureOf(error)
    throw code === 'MODEL_CORRUPT' ? new AppError('DATA_INVALID', message, { cause: error }) : error
  }
}

function labelsOf({ shape, type, values }: NpyArray, name: string): Labels {
  const whole = !type.startsWith('f')
  if (shape.length === 1 && whole) return { kind: 'classes', values: Int32Array.from(values) }
  const count = shape[0] ?? 0
  if (count === 0) throw new AppError('DATA_INVALID', `The array ${name} holds no labels; its first axis must count them.`)
  const size = values.length / count
  const rows = Array.from({ length: count }, (_, i) => values.subarray(i * size, (i + 1) * size))
  return whole ? { kind: 'tokens', values: rows.map((row) => Int32Array.from(row)) } : { kind: 'numbers', values: rows.map((row) => Float32Array.from(row)) }
}
