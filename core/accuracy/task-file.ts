import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import * as v from 'valibot'
import type { DataSource } from '../../contract/data-source.ts'
import { AppError } from '../../contract/error.ts'
import type { ErrorCode } from '../../contract/error.ts'
import { Project, Task } from '../../contract/task.ts'
import { issueSentence } from './issue-sentence.ts'
import { expandPath } from './task-paths.ts'

export interface LoadedProject {
  /** The file that was read. */
  path: string
  /** The folder that relative paths of its tasks start from. */
  base: string
  project: Project
}

/**
 * Reads a project: a folder with a project.json, such a file, or one *.task.json, which counts as a project of one
 * task. `${HINM_DATA}` and `${MODULES}` in paths are replaced.
 * @throws AppError FILE_NOT_FOUND, FILE_NOT_READABLE, PROJECT_INVALID or TASK_INVALID
 */
export async function loadProject(path: string): Promise<LoadedProject> {
  const file = await projectFile(resolve(path))
  const isTask = file.endsWith('.task.json')
  const json = await readJson(file, isTask ? 'TASK_INVALID' : 'PROJECT_INVALID')
  const project = isTask ? oneTask(validate(Task, json, file, 'TASK_INVALID')) : validate(Project, json, file, 'PROJECT_INVALID')
  refuseRepeatedNames(project, file)
  return { path: file, base: dirname(file), project: { ...project, tasks: project.tasks.map(expandTask) } }
}

async function projectFile(path: string): Promise<string> {
  const status = await stat(path).catch((cause: unknown) => {
    throw new AppError('FILE_NOT_FOUND', `There is no project at ${path}; give a project folder, a project.json or a *.task.json.`, { cause })
  })
  if (!status.isDirectory()) return path
  const inside = join(path, 'project.json')
  const found = await stat(inside).catch(() => null)
  if (!found?.isFile())
    throw new AppError('FILE_NOT_FOUND', `The folder ${path} holds no project.json; choose a project folder, a project file or a *.task.json.`)
  return inside
}

async function readJson(file: string, code: ErrorCode): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new AppError(
      'FILE_NOT_READABLE',
      `The file ${file} could not be read (${String((cause as { code?: unknown }).code ?? cause)}); check its permissions.`,
      { cause },
    )
  })
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError(
      code,
      `The file ${basename(file)} is not valid JSON (${cause instanceof Error ? cause.message : String(cause)}); correct it at that place.`,
      { cause },
    )
  }
}

function validate<T extends v.GenericSchema>(schema: T, json: unknown, file: string, code: ErrorCode): v.InferOutput<T> {
  const result = v.safeParse(schema, json)
  if (result.success) return result.output
  throw new AppError(code, `The file ${basename(file)} is not valid: ${issueSentence(result.issues[0])}`)
}

function oneTask(task: Task): Project {
  return { schema: 'hinm-project/1', name: task.name, description: '', tasks: [task], defaults: {} }
}

function refuseRepeatedNames(project: Project, file: string): void {
  const names = new Set<string>()
  for (const { name } of project.tasks) {
    if (names.has(name)) throw new AppError('PROJECT_INVALID', `The file ${basename(file)} names two tasks "${name}"; give each task a name of its own.`)
    names.add(name)
  }
}

function expandTask(task: Task): Task {
  const { sequence } = task.output
  const output = sequence?.kind === 'ctc' ? { ...task.output, sequence: { ...sequence, alphabet: expandPath(sequence.alphabet) } } : task.output
  const modelData = Object.fromEntries(Object.entries(task.modelData).map(([name, parts]) => [name, parts.map(expandPath)]))
  return { ...task, model: expandPath(task.model), modelData, data: expandData(task.data), output }
}

function expandData(data: DataSource): DataSource {
  switch (data.format) {
    case 'idx':
    case 'npy':
      return { ...data, inputs: expandPath(data.inputs), labels: expandPath(data.labels) }
    case 'bytes':
      return { ...data, inputs: expandPath(data.inputs), fields: expandPath(data.fields) }
    case 'text':
      return { ...data, file: expandPath(data.file), alphabet: { ...data.alphabet, file: expandPath(data.alphabet.file) } }
    case 'csv':
    case 'json':
    case 'json-lines':
      return { ...data, file: expandPath(data.file) }
    case 'images':
      return { ...data, folder: expandPath(data.folder) }
  }
}
