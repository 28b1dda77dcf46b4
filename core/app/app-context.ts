import { resolve } from 'node:path'
import type { ProjectView } from '../../contract/api.ts'
import type { Environment } from '../../contract/environment.ts'
import { openHistory, type History } from '../../db/history.ts'
import type { EngineLimits } from '../engine/engine-client.ts'
import type { SpawnEngine } from '../engine/engine-process.ts'
import { Experiments } from '../experiment/experiments.ts'
import { historyFile } from './home.ts'
import { createInspector } from './inspector.ts'

export interface AppOptions {
  host: Environment['host']
  /** Folder of the history; see hinmHome. */
  home: string
  spawnEngine: SpawnEngine
  version: string
  limits?: EngineLimits
  /** Where faults of ours are written; stderr otherwise. Never shown to a face. */
  report?: (fault: unknown) => void
}

/** What the procedures of the contract work with, the same on every host. */
export interface AppContext {
  readonly host: Environment['host']
  readonly version: string
  readonly history: History
  readonly experiments: Experiments
  environment(): Promise<Environment>
  /** Opens a project and remembers it. @throws AppError in words for the person who chose it. */
  openProject(path: string): Promise<ProjectView>
  report(fault: unknown): void
}

export interface App {
  context: AppContext
  /** Stops a run that goes on (it can be resumed), ends the engines and closes the history. */
  close(): Promise<void>
}

/**
 * The application behind every face.
 * @throws AppError where the history cannot even be read.
 */
export function createApp({
  host,
  home,
  spawnEngine,
  version,
  limits,
  report = (fault) => {
    console.error(fault)
  },
}: AppOptions): App {
  const history = openHistory(historyFile(home))
  const inspector = createInspector(spawnEngine, version, host)
  const inspect = (path: string): Promise<ProjectView> => inspector.inspect(resolve(path))
  const environment = (): Promise<Environment> => inspector.environment()
  const experiments = new Experiments({ history, spawnEngine, inspect, environment, ...(limits ? { limits } : {}) })
  const context: AppContext = {
    host,
    version,
    history,
    experiments,
    environment,
    report,
    async openProject(path) {
      const view = await inspect(path)
      if (!history.readOnly) {
        await history.write(() => {
          history.projects.remember(view.path, view.project.name, Date.now())
        })
      }
      return view
    },
  }
  return {
    context,
    async close() {
      await experiments.close()
      inspector.close()
      history.close()
    },
  }
}
