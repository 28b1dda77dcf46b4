import { resolve } from 'node:path'
import { AppError } from '../../../contract/error.ts'
import type { Task } from '../../../contract/task.ts'
import type { Samples } from '../samples.ts'
import { readDataFile } from './data-file.ts'
import { readIdx } from './idx.ts'
import { StoredSamples } from './stored-samples.ts'

type SourceOf<Format> = Extract<Task['data'], { format: Format }>

/**
 * Reads the labelled data of a task.
 * @param base folder that relative paths start from
 * @throws AppError DATA_MISSING, DATA_INVALID or TASK_INVALID
 */
export async function openSamples(task: Task, base: string): Promise<Samples> {
  switch (task.data.format) {
    case 'idx':
      return await openIdx(task, task.data, base)
  }
}

async function openIdx(task: Task, source: SourceOf<'idx'>, base: string): Promise<Samples> {
  const [inputPath, labelPath] = [resolve(base, source.inputs), resolve(base, source.labels)]
  const inputs = readIdx(await readDataFile(inputPath), inputPath)
  const labels = readIdx(await readDataFile(labelPath), labelPath)
  const count = inputs.dims[0] ?? 0
  if (labels.dims.length !== 1 || labels.values.length !== count) {
    throw new AppError(
      'DATA_INVALID',
      `The data files of the task "${task.name}" do not belong together: ${count} inputs but ${labels.values.length} labels. Name the two files of one set.`,
    )
  }
  return new StoredSamples({
    task,
    values: inputs.values,
    sampleSize: inputs.values.length / count,
    labels: { kind: 'classes', values: Int32Array.from(labels.values) },
  })
}
