import type { ProjectView } from '../../contract/api.ts'
import type { Environment, Fact } from '../../contract/environment.ts'
import { failureOf } from '../../contract/error.ts'
import { EngineClient } from '../engine/engine-client.ts'
import type { SpawnEngine } from '../engine/engine-process.ts'

const idleMilliseconds = 30_000

/** Questions outside of runs, asked of an engine of its own that ends when nobody asks. */
export interface Inspector {
  /** @throws AppError when the project cannot be read. */
  inspect(path: string): Promise<ProjectView>
  /** Facts of this machine and build, asked once; where the engine fails, the reason stands in their place. */
  environment(): Promise<Environment>
  close(): void
}

export function createInspector(spawnEngine: SpawnEngine, app: string, host: Environment['host']): Inspector {
  const engine = new EngineClient(spawnEngine)
  let open = 0
  let idle: NodeJS.Timeout | undefined
  let facts: Record<string, Fact> | undefined

  const ask = async <T>(question: () => Promise<T>): Promise<T> => {
    clearTimeout(idle)
    open++
    try {
      return await question()
    } finally {
      open--
      if (open === 0) {
        clearTimeout(idle)
        idle = setTimeout(() => {
          engine.close()
        }, idleMilliseconds)
        idle.unref()
      }
    }
  }

  return {
    inspect: (project) => ask(() => engine.ask({ kind: 'inspect', project })),
    async environment() {
      const known = facts ?? (await ask(() => engine.ask({ kind: 'environment' })).then((answer) => (facts = answer), engineFact))
      return { app, host, platform: `${process.platform}-${process.arch}`, facts: known }
    },
    close: () => {
      clearTimeout(idle)
      engine.close()
    },
  }
}

const engineFact = (thrown: unknown): Record<string, Fact> => ({ engine: { value: null, reason: failureOf(thrown).message } })
