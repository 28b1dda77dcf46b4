import { AppError } from '../../contract/error.ts'
import type { EngineProcess, SpawnEngine } from './engine-process.ts'
import type { AnswerTo, EngineRequest, FromEngine, Progress, ToEngine } from './protocol.ts'

export interface EngineLimits {
  /** After a cancel, the engine has this long to obey before it is killed. */
  graceMilliseconds: number
  /** Seconds without a sign of life from the engine's event loop, after which it counts as hung. */
  silenceSeconds: number
  /** Seconds without progress on a request, after which it counts as hung although the event loop lives. */
  stallSeconds: number
}

/** ONNX Runtime only looks up between batches, hence more grace than the 200 ms of native calls. */
const engineLimits: EngineLimits = { graceMilliseconds: 2000, silenceSeconds: 30, stallSeconds: 900 }

export interface AskOptions {
  signal?: AbortSignal
  onProgress?: (progress: Progress) => void
}

interface Pending {
  resolve: (answer: never) => void
  reject: (error: AppError) => void
  onProgress: ((progress: Progress) => void) | undefined
  cancelled: boolean
  /** Ticks of the watch since the last progress. */
  still: number
}

/**
 * Talks to one warm engine process. It starts with the first request and again with the first one after a crash, a
 * hang or a cancel that was not obeyed; requests that were open then fail with the cause.
 */
export class EngineClient {
  readonly #spawn: SpawnEngine
  readonly #limits: EngineLimits
  readonly #pending = new Map<number, Pending>()
  #engine: EngineProcess | undefined
  #watch: NodeJS.Timeout | undefined
  #silent = 0
  #lastId = 0

  constructor(spawn: SpawnEngine, limits: EngineLimits = engineLimits) {
    this.#spawn = spawn
    this.#limits = limits
  }

  /**
   * @throws AppError CANCELLED, ENGINE_CRASHED, ENGINE_HUNG, ENGINE_UNAVAILABLE, or what the engine itself reports.
   */
  async ask<R extends EngineRequest>(request: R, { signal, onProgress }: AskOptions = {}): Promise<AnswerTo<R>> {
    if (signal?.aborted) throw cancelledError()
    const engine = (this.#engine ??= this.#start())
    const id = ++this.#lastId
    const { promise, resolve, reject } = Promise.withResolvers<AnswerTo<R>>()
    this.#pending.set(id, { resolve: resolve, reject, onProgress, cancelled: false, still: 0 })
    const cancel = (): void => {
      this.#cancel(engine, id)
    }
    signal?.addEventListener('abort', cancel, { once: true })
    post(engine, { type: 'request', id, request })
    try {
      return await promise
    } finally {
      signal?.removeEventListener('abort', cancel)
      this.#pending.delete(id)
    }
  }

  /** Ends the engine; open requests are cancelled. */
  close(): void {
    const engine = this.#engine
    if (!engine) return
    this.#forget(engine, cancelledError())
    engine.kill()
  }

  #start(): EngineProcess {
    const engine = this.#spawnOrExplain()
    this.#silent = 0
    engine.onMessage((message) => {
      if (engine === this.#engine) this.#receive(message as FromEngine)
    })
    engine.onExit((code, signal) => {
      if (engine === this.#engine) this.#forget(engine, crashError(code, signal))
    })
    // Ticks are counted instead of clock time, so that a suspended computer does not make a live engine look dead.
    this.#watch = setInterval(() => {
      this.#tick(engine)
    }, 1000)
    this.#watch.unref()
    return engine
  }

  #spawnOrExplain(): EngineProcess {
    try {
      return this.#spawn()
    } catch (thrown) {
      throw new AppError('ENGINE_UNAVAILABLE', `The engine process could not be started (${(thrown as Error).message}); run the set-up again.`, {
        cause: thrown,
      })
    }
  }

  #receive(message: FromEngine): void {
    this.#silent = 0
    if (message.type === 'alive') return
    const pending = this.#pending.get(message.id)
    if (!pending) return
    pending.still = 0
    if (message.type === 'progress') pending.onProgress?.(message.progress)
    else if (message.type === 'answer') pending.resolve(message.answer as never)
    else pending.reject(new AppError(message.failure.code, message.failure.message))
  }

  #tick(engine: EngineProcess): void {
    if (engine !== this.#engine) return
    this.#silent++
    let stillest = 0
    for (const pending of this.#pending.values()) stillest = Math.max(stillest, ++pending.still)
    if (this.#silent > this.#limits.silenceSeconds) this.#end(engine, hungError(`gave no sign of life for ${this.#limits.silenceSeconds} s`))
    else if (stillest > this.#limits.stallSeconds) this.#end(engine, hungError(`made no progress for ${this.#limits.stallSeconds} s`))
  }

  #cancel(engine: EngineProcess, id: number): void {
    const pending = this.#pending.get(id)
    if (!pending || pending.cancelled) return
    pending.cancelled = true
    post(engine, { type: 'cancel', id })
    setTimeout(() => {
      if (engine !== this.#engine || !this.#pending.has(id)) return
      pending.reject(cancelledError())
      this.#end(engine, crashError(null, 'SIGKILL'))
    }, this.#limits.graceMilliseconds)
  }

  #end(engine: EngineProcess, cause: AppError): void {
    this.#forget(engine, cause)
    engine.kill()
  }

  #forget(engine: EngineProcess, cause: AppError): void {
    if (engine !== this.#engine) return
    this.#engine = undefined
    clearInterval(this.#watch)
    for (const pending of this.#pending.values()) pending.reject(pending.cancelled ? cancelledError() : cause)
  }
}

const post = (engine: EngineProcess, message: ToEngine): void => {
  engine.post(message)
}

const cancelledError = (): AppError => new AppError('CANCELLED', 'The work was cancelled before it was finished.')

const hungError = (what: string): AppError => new AppError('ENGINE_HUNG', `The engine ${what} and was ended; the next case runs in a new one.`)

function crashError(code: number | null, signal: string | null): AppError {
  const how = signal !== null ? `by signal ${signal}` : code !== null ? `with exit code ${code}` : 'before it had started'
  const memory = signal === 'SIGKILL' ? ' (the system does this when memory runs out)' : ''
  return new AppError('ENGINE_CRASHED', `The engine ended ${how}${memory} while this was running; the next case runs in a new one.`)
}
