import type { RunEvent, RunEventBody } from '../../contract/run.ts'
import type { History } from '../../db/history.ts'
import { expandEvent, type LastingBody } from './stored-event.ts'

/** Event numbers set aside beyond the last written event: progress takes numbers without being written. */
const headroom = 100_000

type ProgressBody = Extract<RunEventBody, { type: 'case-progress' }>
type Listener = (event: RunEvent) => void

/**
 * The event log of a run that goes on in this process. Lasting events are written in the caller's transaction and told
 * to listeners afterwards by `tell`; progress is only told, at most every 33 ms.
 */
export class EventLog {
  readonly #history: History
  readonly #runId: number
  readonly #now: () => number
  readonly #listeners = new Set<Listener>()
  #seq: number
  #reserved: number
  #latest: RunEvent | undefined
  #waiting: ProgressBody | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(history: History, runId: number, now: () => number) {
    this.#history = history
    this.#runId = runId
    this.#now = now
    this.#seq = history.runs.lastSequence(runId)
    this.#reserved = this.#seq
  }

  /**
   * Writes lasting events; only inside `history.write`, once in a transaction. The work may run again, so numbers
   * count as taken only when `tell` says that the transaction was committed.
   */
  record(...bodies: LastingBody[]): RunEvent[] {
    this.#history.runs.reserveSequence(this.#runId, this.#seq + headroom)
    return bodies.map((body, index) => {
      const place = { seq: this.#seq + 1 + index, at: this.#now() }
      this.#history.events.add(this.#runId, place.seq, place.at, body)
      return expandEvent(this.#history, this.#runId, place, body)
    })
  }

  /** Tells listeners of events whose transaction has been committed. */
  tell(events: readonly RunEvent[]): void {
    this.#dropWaiting()
    this.#latest = undefined
    this.#reserved = this.#seq + headroom
    for (const event of events) this.#emit(event)
  }

  /** Tells listeners of the end of a run when the history could not take it. */
  tellUnsaved(body: LastingBody): void {
    this.tell([expandEvent(this.#history, this.#runId, { seq: this.#seq + 1, at: this.#now() }, body)])
  }

  progress(body: ProgressBody): void {
    this.#waiting = body
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#flush()
    }, 33)
  }

  /** The newest progress, for a watcher that comes late; undefined when the last event was a lasting one. */
  get latestProgress(): RunEvent | undefined {
    return this.#latest
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #flush(): void {
    const body = this.#waiting
    this.#waiting = undefined
    // An hour of progress inside one case uses the numbers up; then the case goes on silently.
    if (!body || this.#seq >= this.#reserved) return
    this.#latest = { ...body, seq: this.#seq + 1, runId: this.#runId, at: this.#now() }
    this.#emit(this.#latest)
  }

  #dropWaiting(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#waiting = undefined
  }

  #emit(event: RunEvent): void {
    this.#seq = event.seq
    for (const listener of this.#listeners) listener(event)
  }
}
