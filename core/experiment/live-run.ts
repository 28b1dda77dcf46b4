import { caseLabel } from '../../contract/case-label.ts'
import type { CaseRecord, CaseResult } from '../../contract/case.ts'
import { AppError, failureOf, type Failure } from '../../contract/error.ts'
import type { RunStatus } from '../../contract/run.ts'
import type { History } from '../../db/history.ts'
import type { EngineClient } from '../engine/engine-client.ts'
import type { RunSettings } from '../engine/protocol.ts'
import { EventLog } from './event-log.ts'

export interface LiveRunOptions {
  history: History
  engine: EngineClient
  runId: number
  /** Identity of this process in the lease. */
  owner: string
  project: string
  settings: RunSettings
  /** Environment row that results of this stretch were measured in. */
  environmentId: number
  /** Facts that every case of this stretch carries, such as a changed environment. */
  notes: readonly string[]
  now: () => number
}

export interface Ending {
  status: RunStatus
  reason: string | null
}

/** Why a run was told to stop: by a person, or because the application closes. */
export type StopCause = 'cancelled' | 'interrupted'

/**
 * A run that goes on in this process: its planned cases one after the other through the engine, each saved in one
 * transaction before the next one begins.
 */
export class LiveRun {
  readonly log: EventLog
  readonly runId: number
  readonly #options: LiveRunOptions
  readonly #stop = new AbortController()
  #cause: StopCause = 'cancelled'

  constructor(options: LiveRunOptions) {
    this.#options = options
    this.runId = options.runId
    this.log = new EventLog(options.history, options.runId, options.now)
  }

  stop(cause: StopCause): void {
    if (this.#stop.signal.aborted) return
    this.#cause = cause
    this.#stop.abort()
  }

  /** Runs every planned case and writes the ending. Never rejects: what cannot be saved is told to listeners. */
  async run(): Promise<Ending> {
    const ending = await this.#cases()
    this.#options.engine.close()
    return ending
  }

  /** Writes the ending; rejects while the history cannot be written. What another process took over is left to it. */
  async end(ending: Ending): Promise<void> {
    const { history, runId, now } = this.#options
    const events = await history.write(() => {
      if (!this.#isOurs()) return null
      history.leases.drop(runId)
      history.cases.endRunning(runId, ending.reason ?? 'The run ended.')
      history.runs.setStatus(runId, ending.status, ending.reason, now())
      return this.log.record({ type: 'ended', ...ending })
    })
    if (events) this.log.tell(events)
    else this.log.tellUnsaved({ type: 'ended', status: 'failed', reason: takenOver(runId).message })
  }

  /** Another process may have taken this one for dead. */
  #isOurs(): boolean {
    const { history, runId, owner } = this.#options
    return history.leases.of(runId)?.owner === owner
  }

  async #cases(): Promise<Ending> {
    const { history, runId } = this.#options
    try {
      for (const entry of history.read(() => history.cases.ofRun(runId))) {
        if (entry.status !== 'planned') continue
        if (this.#stop.signal.aborted) return this.#stopped()
        const result = await this.#case(entry)
        if (result.status === 'cancelled') return this.#stopped()
      }
      return { status: 'done', reason: null }
    } catch (thrown) {
      // The history itself failed: going on would measure what cannot be kept.
      return { status: 'failed', reason: failureOf(thrown).message }
    }
  }

  #stopped(): Ending {
    return { status: this.#cause, reason: this.#cause === 'cancelled' ? 'Stopped on request.' : 'The application was closed; resume goes on with the rest.' }
  }

  async #case(entry: CaseRecord): Promise<CaseResult> {
    const { history, environmentId, now } = this.#options
    await this.#write(() => {
      history.cases.setStatus(entry.id, 'running', null)
      return this.log.record({ type: 'case-started', caseId: entry.id, index: entry.index, label: caseLabel(entry.spec) })
    })
    const result = await this.#measure(entry)
    await this.#write(() => {
      history.cases.finish(entry.id, result, environmentId, now())
      return this.log.record({ type: 'case-finished', caseId: entry.id })
    })
    return result
  }

  async #measure(entry: CaseRecord): Promise<CaseResult> {
    const { engine, project, settings, notes } = this.#options
    const begun = performance.now()
    try {
      const result = await engine.ask(
        { kind: 'run-case', project, spec: entry.spec, settings, modelHash: entry.modelHash },
        {
          signal: this.#stop.signal,
          onProgress: (progress) => {
            this.log.progress({ type: 'case-progress', caseId: entry.id, ...progress })
          },
        },
      )
      return { ...result, notes: [...notes, ...result.notes] }
    } catch (thrown) {
      return failedResult(failureOf(thrown), (performance.now() - begun) / 1000, notes)
    }
  }

  /** One transaction that also proves that the run is still ours. */
  async #write(work: () => ReturnType<EventLog['record']>): Promise<void> {
    const { history, runId } = this.#options
    const events = await history.write(() => {
      if (!this.#isOurs()) throw takenOver(runId)
      return work()
    })
    this.log.tell(events)
  }
}

const takenOver = (runId: number): AppError => new AppError('ALREADY_RUNNING', `Run ${runId} was taken over by another window or command, so this one stopped.`)

function failedResult({ code, message }: Failure, seconds: number, notes: readonly string[]): CaseResult {
  const status = code === 'CANCELLED' ? 'cancelled' : 'failed'
  return { status, reason: message, sparsityAchieved: null, metrics: {}, layers: [], samples: [], seconds, notes: [...notes] }
}
