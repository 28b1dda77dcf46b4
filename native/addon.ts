import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** Facts of the native build; every result carries them. */
export interface BuildInfo {
  /** CMake build type; speed claims need "Release". */
  type: string
  compiler: string
  flags: string
  /** "embedded (…)" or "not built: …" with the reason. */
  cuda: string
  /** Logical processors. */
  threads: number
}

/** How a long native call is watched and stopped. */
export interface Job {
  signal?: AbortSignal
  /** Called at most every 33 ms. */
  onProgress?: (done: number, total: number) => void
}

/** What the binding takes as its last argument: the flag's memory is shared with the worker thread. */
interface NativeJob {
  cancel: Int32Array
  progress?: (done: number, total: number) => void
}

/**
 * Runs one asynchronous function of the addon under a Job. Rejects with code CANCELLED soon after the signal.
 */
export async function runJob<T>(job: Job | undefined, call: (native: NativeJob) => Promise<T>): Promise<T> {
  const cancel = new Int32Array(1)
  const onAbort = (): void => {
    Atomics.store(cancel, 0, 1)
  }
  if (job?.signal?.aborted) onAbort()
  job?.signal?.addEventListener('abort', onAbort, { once: true })
  try {
    return await call({ cancel, ...(job?.onProgress ? { progress: job.onProgress } : {}) })
  } finally {
    job?.signal?.removeEventListener('abort', onAbort)
  }
}

export type Addon = Record<string, (...args: never[]) => unknown> & { buildInfo: () => BuildInfo }

let loaded: Addon | undefined

/**
 * The native module, loaded once. Looks beside the bundle (packaged app), then in the build folder of the clone.
 * @throws Error naming the places that were searched and what to do.
 */
export function addon(): Addon {
  if (loaded) return loaded
  const resources = (process as { resourcesPath?: string }).resourcesPath
  const places = [
    ...(process.env.HINM_ADDON ? [process.env.HINM_ADDON] : []),
    ...(resources ? [join(resources, 'native', 'hinm.node')] : []),
    join(import.meta.dirname, 'build', 'hinm.node'),
    join(import.meta.dirname, '..', '..', 'native', 'build', 'hinm.node'),
  ]
  const found = places.find((place) => existsSync(place))
  if (!found) throw new Error('The native module hinm.node was not found; run "npm run setup" to build it.')
  loaded = createRequire(import.meta.url)(found) as Addon
  return loaded
}

export const buildInfo = (): BuildInfo => addon().buildInfo()
