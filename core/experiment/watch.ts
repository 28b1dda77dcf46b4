import { AppError } from '../../contract/error.ts'
import type { RunEvent } from '../../contract/run.ts'
import type { History } from '../../db/history.ts'
import type { LiveRun } from './live-run.ts'
import { expandRow } from './stored-event.ts'

const pollMilliseconds = 500

export interface WatchOptions {
  history: History
  id: number
  after: number
  /** The run, when it goes on in this process. */
  live: () => LiveRun | undefined
  /** Looks for runs whose process is gone. */
  recover: () => Promise<unknown>
  signal: AbortSignal | undefined
}

/**
 * The events of a run after `after`: first what the history holds, then what happens, until the run has ended. A run
 * of another process is followed through the history, without its progress.
 * @throws AppError NOT_FOUND.
 */
export async function* watchRun(options: WatchOptions): AsyncGenerator<RunEvent, void> {
  const { history, id, signal } = options
  let { after } = options
  const inbox = new Inbox(signal)
  const live = options.live()
  const leave = live?.log.listen((event) => {
    inbox.put(event)
  })
  try {
    for (;;) {
      for (const event of stored(history, id, after)) {
        after = event.seq
        yield event
      }
      if (live) break
      if (!isRunning(history, id) || signal?.aborted) return
      await inbox.wait(pollMilliseconds)
      await options.recover()
    }
    const progress = live.log.latestProgress
    if (progress && progress.seq > after) yield progress
    for await (const event of inbox.events()) {
      if (event.seq <= after) continue
      yield event
      if (event.type === 'ended') return
    }
  } finally {
    leave?.()
  }
}

const stored = (history: History, id: number, after: number): RunEvent[] =>
  history.read(() => history.events.after(id, after).map((row) => expandRow(history, id, row)))

function isRunning(history: History, id: number): boolean {
  const run = history.read(() => history.runs.get(id))
  if (!run) throw new AppError('NOT_FOUND', `There is no run ${id} in the history; "hinm list" shows the runs that there are.`)
  return run.status === 'running'
}

/** Events in the order they came, for one reader who may be slower than they are. */
class Inbox {
  readonly #events: RunEvent[] = []
  readonly #signal: AbortSignal | undefined
  #wake: () => void = () => undefined

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal
  }

  /** Of progress that nobody has read yet only the newest is kept, so a sleeping reader costs no memory. */
  put(event: RunEvent): void {
    if (event.type === 'case-progress' && this.#events.at(-1)?.type === 'case-progress') this.#events.pop()
    this.#events.push(event)
    this.#wake()
  }

  /** Waits for an event, the signal, or the time given. */
  async wait(milliseconds?: number): Promise<void> {
    if (this.#events.length > 0 || this.#signal?.aborted) return
    const { promise, resolve } = Promise.withResolvers<undefined>()
    this.#wake = () => {
      resolve(undefined)
    }
    this.#signal?.addEventListener('abort', this.#wake, { once: true })
    const timer = milliseconds === undefined ? undefined : setTimeout(this.#wake, milliseconds)
    await promise
    clearTimeout(timer)
    this.#signal?.removeEventListener('abort', this.#wake)
  }

  async *events(): AsyncGenerator<RunEvent, void> {
    while (!this.#signal?.aborted) {
      for (let event = this.#events.shift(); event !== undefined; event = this.#events.shift()) yield event
      await this.wait()
    }
  }
}
