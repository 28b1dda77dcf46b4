import { resolve } from 'node:path'
import { parse } from 'csv-parse/sync'
import type { DataSource } from '../../../contract/data-source.ts'
import { AppError } from '../../../contract/error.ts'
import type { Task } from '../../../contract/task.ts'
import type { Labels, Samples } from '../samples.ts'
import { readDataFile } from './data-file.ts'
import { StoredSamples } from './stored-samples.ts'

/** Lines of numbers with a decimal point; one column is the label, all others in their order are the input. */
export async function openCsv(task: Task, source: Extract<DataSource, { format: 'csv' }>, base: string): Promise<Samples> {
  const path = resolve(base, source.file)
  const rows = readRows(await readDataFile(path), path, source.separator)
  const titles = source.header ? (rows.shift() ?? []) : []
  const column = labelColumn(source.label, titles, rows, path)
  const width = (rows[0]?.length ?? 1) - 1
  const values = new Float32Array(rows.length * width)
  const labels = rows.map((row, line) => {
    const numbers = row.map((cell, place) => cellNumber(cell, line + (source.header ? 2 : 1), titles[place] ?? String(place), path))
    values.set(numbers.toSpliced(column, 1), line * width)
    return numbers[column] ?? 0
  })
  return new StoredSamples({ task, values, sampleSize: width, labels: labelsOf(labels) })
}

function readRows(bytes: Uint8Array, path: string, separator: string): string[][] {
  try {
    return parse(new TextDecoder().decode(bytes), { delimiter: separator, skip_empty_lines: true, bom: true })
  } catch (cause) {
    throw new AppError('DATA_INVALID', `The data file ${path} is not a valid table: ${cause instanceof Error ? cause.message : String(cause)}.`, { cause })
  }
}

function labelColumn(label: string | number, titles: readonly string[], rows: readonly (readonly string[])[], path: string): number {
  const width = rows[0]?.length ?? 0
  if (width < 2) throw new AppError('DATA_INVALID', `The data file ${path} needs at least one line with two columns, an input and a label.`)
  const column = typeof label === 'number' ? label : titles.indexOf(label)
  if (column >= 0 && column < width) return column
  throw new AppError(
    'TASK_INVALID',
    `The data file ${path} has no column ${JSON.stringify(label)}; it has ${titles.length > 0 ? titles.join(', ') : `the columns 0 to ${width - 1}`}.`,
  )
}

function cellNumber(cell: string, line: number, column: string, path: string): number {
  const value = cell.trim() === '' ? NaN : Number(cell)
  if (Number.isNaN(value))
    throw new AppError('DATA_INVALID', `Line ${line} of the data file ${path} holds "${cell}" in column ${column}, which is not a number; use a decimal point.`)
  return value
}

/** Whole numbers from 0 are classes, other numbers are to be met. */
function labelsOf(values: readonly number[]): Labels {
  if (values.every((value) => Number.isSafeInteger(value) && value >= 0)) return { kind: 'classes', values: Int32Array.from(values) }
  return { kind: 'numbers', values: values.map((value) => Float32Array.of(value)) }
}
