import { utilityProcess } from 'electron'
import type { SpawnEngine } from '../core/engine/engine-process.ts'

/** Starts engines as utility processes of Electron; `entry` is the engine's bundle. */
export const spawnUtility =
  (entry: string): SpawnEngine =>
  () => {
    const child = utilityProcess.fork(entry, [], { serviceName: 'HiNM engine', stdio: ['ignore', 'inherit', 'inherit'] })
    return {
      post: (message) => {
        child.postMessage(message)
      },
      onMessage: (listener) => void child.on('message', listener),
      // Electron tells no signal; a child that was killed has the code that its platform makes of it.
      onExit: (listener) =>
        void child.once('exit', (code) => {
          listener(code, null)
        }),
      kill: () => {
        kill(child)
      },
    }
  }

/** Electron's own kill is a polite SIGTERM, which a kernel that never returns does not hear. */
function kill(child: Electron.UtilityProcess): void {
  if (child.pid === undefined) {
    child.once('spawn', () => {
      kill(child)
    })
    return
  }
  try {
    process.kill(child.pid, 'SIGKILL')
  } catch {
    // It has just ended by itself.
  }
}
