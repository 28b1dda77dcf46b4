import type { ProjectView } from '../../contract/api.ts'
import { failureOf } from '../../contract/error.ts'
import { loadProject } from '../accuracy/task-file.ts'
import { openTaskModel } from '../accuracy/task-model.ts'

/**
 * Reads a project and looks into each of its models. A model that cannot be read is in the view with the reason.
 * @throws AppError when the project itself cannot be read.
 */
export async function inspectProject(path: string): Promise<ProjectView> {
  const { path: file, base, project } = await loadProject(path)
  const models: ProjectView['models'] = []
  for (const task of project.tasks) {
    try {
      models.push({ task: task.name, model: (await openTaskModel(task, base)).info, reason: null })
    } catch (thrown) {
      models.push({ task: task.name, model: null, reason: failureOf(thrown).message })
    }
  }
  return { path: file, project, models }
}
