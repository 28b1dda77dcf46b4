import { fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import { dirname, join } from 'node:path'
import type { EngineProcess, SpawnEngine } from './engine-process.ts'

/** The engine's entry: its source in a clone, `engine.js` beside the bundle otherwise. */
export function engineEntry(folder = import.meta.dirname): string {
  const source = join(folder, 'main.ts')
  return existsSync(source) ? source : join(folder, 'engine.js')
}

/** Starts engines as children of a Node process (server and command line), under the same Node unless another is named. */
export const spawnNode =
  (entry: string = engineEntry(), node: string = process.execPath): SpawnEngine =>
  () => {
    // Advanced serialization carries typed arrays and NaN. What a native library prints goes to stderr, never among results.
    const cache = getCompileCacheDir()
    const child = fork(entry, [], {
      execPath: node,
      stdio: ['ignore', 2, 2, 'ipc'],
      serialization: 'advanced',
      execArgv: ['--disable-warning=ExperimentalWarning'],
      env: { ...process.env, ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) }) },
    })
    const engine: EngineProcess = {
      pid: child.pid,
      post: (message) => {
        // An error here means that the child has just ended, which onExit reports.
        if (child.connected) child.send(message as never, () => undefined)
      },
      onMessage: (listener) => void child.on('message', listener),
      onExit: (listener) => {
        let told = false
        const tell = (code: number | null, signal: string | null): void => {
          if (told) return
          told = true
          listener(code, signal)
        }
        child.once('exit', tell)
        child.once('error', () => {
          if (child.pid === undefined) tell(null, null)
        })
      },
      kill: () => void child.kill('SIGKILL'),
    }
    return engine
  }
