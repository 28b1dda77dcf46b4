import { resolve } from 'node:path'
import type { Task } from '../../contract/task.ts'
import { openModel } from '../model/open-model.ts'
import type { OpenModel } from '../model/open-model.ts'

/**
 * Opens the model of a task, with the external data that the task names.
 * @param base folder that relative paths of the task start from
 */
export async function openTaskModel(task: Task, base: string): Promise<OpenModel> {
  const data = Object.entries(task.modelData).map(([name, parts]): [string, string[]] => [name, parts.map((part) => resolve(base, part))])
  return await openModel(resolve(base, task.model), { data: new Map(data) })
}
