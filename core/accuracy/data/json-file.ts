import { AppError } from '../../../contract/error.ts'
import { readDataFile } from './data-file.ts'

/** A member of a JSON object in a data file. */
export type JsonObject = Record<string, unknown>

/** @throws AppError DATA_MISSING or DATA_INVALID */
export async function readJsonObject(path: string): Promise<JsonObject> {
  const bytes = await readDataFile(path)
  const json = parse(new TextDecoder().decode(bytes), path)
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw new AppError('DATA_INVALID', `The data file ${path} must hold one JSON object.`)
  return json as JsonObject
}

/** One JSON object a line; empty lines are skipped. */
export async function readJsonLines(path: string): Promise<JsonObject[]> {
  const lines = new TextDecoder().decode(await readDataFile(path)).split('\n')
  return lines.flatMap((line, index): JsonObject[] => {
    if (line.trim() === '') return []
    const json = parse(line, `${path}, line ${index + 1},`)
    if (typeof json !== 'object' || json === null || Array.isArray(json))
      throw new AppError('DATA_INVALID', `Line ${index + 1} of the data file ${path} must be one JSON object.`)
    return [json as JsonObject]
  })
}

function parse(text: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError('DATA_INVALID', `The data file ${where} is not valid JSON (${cause instanceof Error ? cause.message : String(cause)}).`, { cause })
  }
}

/** A list under `key`, checked entry by entry. */
function listOf<T>(object: JsonObject, key: string, path: string, what: string, check: (value: unknown) => value is T): T[] {
  const list: unknown = object[key]
  if (!Array.isArray(list)) throw new AppError('DATA_INVALID', `The data file ${path} has no list "${key}"; it has ${Object.keys(object).join(', ')}.`)
  const entries = list as unknown[]
  const wrong = entries.findIndex((value) => !check(value))
  if (wrong >= 0) throw new AppError('DATA_INVALID', `Entry ${wrong} of "${key}" in the data file ${path} is not ${what}.`)
  return entries as T[]
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value)
const isText = (value: unknown): value is string => typeof value === 'string'
const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

export const wholeNumbers = (object: JsonObject, key: string, path: string): number[] => listOf(object, key, path, 'a whole number', isWhole)
export const texts = (object: JsonObject, key: string, path: string): string[] => listOf(object, key, path, 'a text', isText)
export const objects = (object: JsonObject, key: string, path: string): JsonObject[] => listOf(object, key, path, 'an object', isObject)
export const anything = (object: JsonObject, key: string, path: string): unknown[] =>
  listOf(object, key, path, '', (value): value is unknown => value !== undefined)
