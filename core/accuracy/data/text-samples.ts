import { resolve } from 'node:path'
import type { DataSource } from '../../../contract/data-source.ts'
import { AppError } from '../../../contract/error.ts'
import type { Task } from '../../../contract/task.ts'
import type { Samples } from '../samples.ts'
import { readDataFile } from './data-file.ts'
import { readJsonObject, texts } from './json-file.ts'
import { TokenSamples } from './token-samples.ts'

/**
 * Next-token prediction: windows that follow one another; the label of each position is the token behind it. The
 * text before `from` gives the support windows, which calibrate and are never evaluated.
 */
export async function openText(task: Task, source: Extract<DataSource, { format: 'text' }>, base: string): Promise<Samples> {
  const path = resolve(base, source.file)
  const tokens = await readTokens(path, resolve(base, source.alphabet.file), source.alphabet.key)
  const start = Math.floor(tokens.length * source.from)
  const support = start > source.window ? windows(task, tokens.subarray(0, start), source.window, null) : null
  return windows(task, tokens.subarray(start), source.window, support)
}

async function readTokens(path: string, alphabetPath: string, key: string): Promise<Int32Array> {
  const places = new Map(texts(await readJsonObject(alphabetPath), key, alphabetPath).map((symbol, place) => [symbol, place]))
  const text = Array.from(new TextDecoder().decode(await readDataFile(path)))
  return Int32Array.from(text, (symbol, index) => {
    const place = places.get(symbol)
    if (place === undefined)
      throw new AppError('DATA_INVALID', `The text ${path} holds ${JSON.stringify(symbol)} at place ${index}, which is not in the alphabet ${alphabetPath}.`)
    return place
  })
}

function windows(task: Task, tokens: Int32Array, length: number, support: Samples | null): Samples {
  const count = Math.floor((tokens.length - 1) / length)
  if (count < 1)
    throw new AppError(
      'DATA_INVALID',
      `The text of the task "${task.name}" has ${tokens.length} evaluated tokens, fewer than one window of ${length} and the token behind it.`,
    )
  const cut = (shift: number): Int32Array[] => Array.from({ length: count }, (_, i) => tokens.subarray(i * length + shift, (i + 1) * length + shift))
  return new TokenSamples({ task, sequences: cut(0), labels: { kind: 'tokens', values: cut(1) }, support })
}
