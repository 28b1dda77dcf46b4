import { resolve } from 'node:path'
import type { ProjectView } from '../../contract/api.ts'
import type { Environment } from '../../contract/environment.ts'
import { AppError } from '../../contract/error.ts'
import { openHistory, unopenedHistory, type History } from '../../db/history.ts'
import type { EngineLimits } from '../engine/engine-client.ts'
import type { SpawnEngine } from '../engine/engine-process.ts'
import { Experiments } from '../experiment/experiments.ts'
import { historyCare, type HistoryCare } from './history-care.ts'
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
  /** Stands for an empty one with the reason in `readOnly` when the file could not be opened. */
  readonly history: History
  readonly experiments: Experiments
  readonly care: HistoryCare
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

interface Opened {
  history: History
  experiments: Experiments
  /** Today's backup, while it is being made. */
  backup: Promise<void>
}

const writeToStderr = (fault: unknown): void => {
  console.error(fault)
}

/** The application behind every face. It starts whatever state the history is in, and says what is wrong with it. */
export function createApp({ host, home, spawnEngine, version, limits, report = writeToStderr }: AppOptions): App {
  const inspector = createInspector(spawnEngine, version, host)
  const inspect = (path: string): Promise<ProjectView> => inspector.inspect(resolve(path))
  const environment = (): Promise<Environment> => inspector.environment()
  const open = (): Opened => {
    const history = openOrExplain(historyFile(home))
    const backup = dailyBackup(history, report)
    return { history, backup, experiments: new Experiments({ history, spawnEngine, inspect, environment, quiet: () => backup, ...(limits ? { limits } : {}) }) }
  }
  let opened = open()
  const care = historyCare({
    history: () => opened.history,
    experiments: () => opened.experiments,
    reopen: () => {
      opened = open()
    },
  })
  const context: AppContext = {
    host,
    version,
    get history() {
      return opened.history
    },
    get experiments() {
      return opened.experiments
    },
    care,
    environment,
    report,
    async openProject(path) {
      const view = await inspect(path)
      const { history } = opened
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
      await opened.experiments.close()
      inspector.close()
      await opened.backup
      opened.history.close()
    },
  }
}

function openOrExplain(file: string): History {
  try {
    return openHistory(file)
  } catch (thrown) {
    if (thrown instanceof AppError) return unopenedHistory(file, thrown)
    throw thrown
  }
}

/** In the background, because it may take seconds; a fault of it must not keep anybody from working. */
async function dailyBackup(history: History, report: (fault: unknown) => void): Promise<void> {
  if (history.readOnly || history.runs.list().length === 0) return
  await history.maintenance.backUp(new Date()).catch(report)
}
