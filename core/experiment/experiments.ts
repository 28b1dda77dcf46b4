import { randomUUID } from 'node:crypto'
import type { PlannedCase, ProjectView } from '../../contract/api.ts'
import type { SampleSet } from '../../contract/case.ts'
import type { Environment } from '../../contract/environment.ts'
import { AppError } from '../../contract/error.ts'
import type { RunDetail, RunEvent, RunSpec, RunSummary } from '../../contract/run.ts'
import type { History } from '../../db/history.ts'
import type { RunRow } from '../../db/runs.ts'
import { EngineClient, type EngineLimits } from '../engine/engine-client.ts'
import type { SpawnEngine } from '../engine/engine-process.ts'
import { environmentChanges } from './environment-change.ts'
import { LiveRun, type StopCause } from './live-run.ts'
import { beatSeconds, isAlive, thisOwner, type Owner } from './owner.ts'
import { needsCalibration, planCases, type PlanEntry } from './plan.ts'
import { interruptedReason, recoverInterrupted } from './recover.ts'
import { runName } from './run-name.ts'
import type { LastingBody } from './stored-event.ts'
import { watchRun } from './watch.ts'

export interface ExperimentOptions {
  history: History
  spawnEngine: SpawnEngine
  /** Reads a project and its models. */
  inspect: (project: string) => Promise<ProjectView>
  /** The environment that a run about to start would be measured in. */
  environment: () => Promise<Environment>
  /** Waits for work in the background that would disturb times, such as a backup. */
  quiet?: () => Promise<void>
  now?: () => number
  limits?: EngineLimits
}

/** Runs of this process and of the whole history: plan, start, resume, cancel, watch, look at. */
export class Experiments {
  readonly #options: ExperimentOptions
  readonly #history: History
  readonly #now: () => number
  readonly #self: Owner = thisOwner()
  readonly #live = new Map<number, { run: LiveRun; ended: Promise<void> }>()
  /** Endings that the history could not take yet. */
  readonly #unsaved = new Map<number, () => Promise<void>>()
  #starting = false
  #beat: NodeJS.Timeout | undefined

  constructor(options: ExperimentOptions) {
    this.#options = options
    this.#history = options.history
    this.#now = options.now ?? Date.now
  }

  async plan(spec: RunSpec): Promise<PlannedCase[]> {
    const entries = planCases(spec, await this.#options.inspect(spec.project))
    return entries.map(({ spec: entry, label, refusal }) => ({ spec: entry, label, refusal }))
  }

  /**
   * Plans a run, writes it and lets it go on by itself.
   * @returns its id, to watch or cancel it.
   * @throws AppError ALREADY_RUNNING while another run goes on here, or why the run cannot be planned or saved.
   */
  async start(spec: RunSpec): Promise<number> {
    return await this.#exclusively(async () => {
      const view = await this.#options.inspect(spec.project)
      const entries = planCases(spec, view)
      const environment = await this.#options.environment()
      const others = [...(await this.running())]
      const { id, environmentId } = await this.#history.write(() => this.#create(spec, view, entries, environment, others))
      this.#launch(id, spec, entries, environmentId, [])
      return id
    })
  }

  /**
   * Goes on with the cases of an ended run that have not come to an end, with the settings that it began with.
   * @throws AppError NOT_FOUND, ALREADY_RUNNING, INVALID_ARGUMENT (nothing is left, or a model file has changed).
   */
  async resume(id: number): Promise<number> {
    return await this.#exclusively(async () => {
      await this.recover()
      const run = this.#existing(id)
      if (run.status === 'running')
        throw new AppError('ALREADY_RUNNING', `Run ${id} is being run by another window or command; cancel it there, or wait for it.`)
      const view = await this.#options.inspect(run.spec.project)
      this.#assertResumable(id, view)
      const environment = await this.#options.environment()
      const changes = environmentChanges(this.#history.environments.get(run.environmentId), environment)
      const notes = changes.length === 0 ? [] : [`Measured in another environment than the run began in: ${changes.join('; ')}.`]
      const environmentId = await this.#history.write(() => this.#reopen(id, environment, notes))
      this.#launch(id, run.spec, this.#history.cases.ofRun(id), environmentId, notes)
      return id
    })
  }

  /** Stops a run, wherever it goes on; one that has ended is left as it is. */
  async cancel(id: number): Promise<void> {
    const live = this.#live.get(id)
    if (live) {
      live.run.stop('cancelled')
      await live.ended
      return
    }
    await this.recover()
    if (this.#existing(id).status === 'running') {
      await this.#history.write(() => {
        this.#history.leases.askCancel(id)
      })
    }
  }

  watch(id: number, after: number, signal?: AbortSignal): AsyncGenerator<RunEvent, void> {
    return watchRun({ history: this.#history, id, after, live: () => this.#live.get(id)?.run, recover: () => this.recover(), signal })
  }

  async list(): Promise<RunSummary[]> {
    await this.recover()
    return this.#history.read(() => this.#history.runs.list()).map((run) => this.#seen(run))
  }

  async get(id: number): Promise<RunDetail> {
    await this.recover()
    const { environmentId, ...run } = this.#existing(id)
    return this.#history.read(() => ({
      ...this.#seen(run),
      environment: this.#history.environments.get(environmentId),
      cases: this.#history.cases.ofRun(id),
      lastSeq: this.#history.runs.lastSequence(id),
    }))
  }

  async rename(id: number, name: string): Promise<void> {
    await this.#change(id, () => {
      this.#history.runs.rename(id, name)
    })
  }

  async annotate(id: number, note: string, tags: readonly string[]): Promise<void> {
    await this.#change(id, () => {
      this.#history.runs.annotate(id, note, [...new Set(tags)])
    })
  }

  /** @throws AppError ALREADY_RUNNING while it goes on anywhere. */
  async remove(id: number): Promise<void> {
    await this.recover()
    await this.#change(id, () => {
      if (this.#existing(id).status === 'running') throw new AppError('ALREADY_RUNNING', `Run ${id} is still going on; cancel it before it is deleted.`)
      this.#history.runs.remove(id)
    })
  }

  /** Runs that go on in any process. */
  async running(): Promise<ReadonlySet<number>> {
    await this.recover()
    return new Set(this.#history.read(() => this.#history.runs.withStatus('running')))
  }

  samples(caseId: number): SampleSet[] {
    return this.#history.read(() => {
      if (!this.#history.cases.get(caseId)) throw new AppError('NOT_FOUND', `There is no case ${caseId} in the history.`)
      return this.#history.samples.ofCase(caseId)
    })
  }

  /** Marks runs whose process is gone as interrupted. */
  async recover(): Promise<void> {
    for (const save of this.#unsaved.values()) await save().catch(() => undefined)
    await recoverInterrupted(this.#history, this.#self, this.#now)
  }

  /** Stops what goes on here and waits until it is written. */
  async close(cause: StopCause = 'interrupted'): Promise<void> {
    for (const { run } of this.#live.values()) run.stop(cause)
    await Promise.all([...this.#live.values()].map(({ ended }) => ended))
    clearInterval(this.#beat)
  }

  /** One run at a time in a process: two would disturb each other's times. */
  async #exclusively<T>(work: () => Promise<T>): Promise<T> {
    if (this.#history.readOnly) throw this.#history.readOnly
    const [running] = this.#live.keys()
    if (this.#starting || running !== undefined) {
      throw new AppError(
        'ALREADY_RUNNING',
        `Run ${running ?? 'just started'} is still going on; cancel it or wait for its end, because two at once would disturb each other's times.`,
      )
    }
    this.#starting = true
    try {
      await this.#options.quiet?.()
      return await work()
    } finally {
      this.#starting = false
    }
  }

  #create(
    spec: RunSpec,
    view: ProjectView,
    entries: readonly PlanEntry[],
    environment: Environment,
    others: readonly number[],
  ): { id: number; environmentId: number } {
    const history = this.#history
    const startedAt = this.#now()
    const environmentId = history.environments.remember(environment)
    history.projects.remember(view.path, view.project.name, startedAt)
    for (const { model } of view.models) if (model) history.models.remember(model)
    const id = history.runs.create({ uid: randomUUID(), name: runName(view.project.name, spec), project: view.path, spec, environmentId, startedAt })
    const bodies: LastingBody[] = [{ type: 'started', total: entries.length }, ...others.map(besideNote)]
    for (const [position, entry] of entries.entries()) {
      const caseId = history.cases.add({ runId: id, position, spec: entry.spec, modelHash: entry.modelHash, refusal: entry.refusal })
      if (entry.refusal !== null) bodies.push({ type: 'case-finished', caseId })
    }
    this.#open(id, bodies)
    return { id, environmentId }
  }

  #reopen(id: number, environment: Environment, notes: readonly string[]): number {
    const history = this.#history
    const environmentId = history.environments.remember(environment)
    if (history.leases.of(id)) throw new AppError('ALREADY_RUNNING', `Run ${id} was resumed by another window or command a moment ago.`)
    history.cases.replan(id)
    history.runs.setStatus(id, 'running', null, null)
    this.#open(id, [
      { type: 'started', total: history.cases.ofRun(id).length },
      ...notes.map((message): LastingBody => ({ type: 'note', level: 'warning', message })),
    ])
    return environmentId
  }

  /** Takes the lease and writes the first events, inside the transaction that creates or reopens the run. */
  #open(id: number, bodies: readonly LastingBody[]): void {
    const history = this.#history
    history.leases.take({ runId: id, ...this.#self, beatAt: this.#now() })
    const first = history.runs.lastSequence(id) + 1
    history.runs.reserveSequence(id, first + bodies.length - 1)
    for (const [index, body] of bodies.entries()) history.events.add(id, first + index, this.#now(), body)
  }

  #launch(id: number, spec: RunSpec, entries: readonly Pick<PlanEntry, 'spec'>[], environmentId: number, notes: readonly string[]): void {
    const { timing, accuracy, columns, threads } = spec
    const settings = { timing, accuracy, columns, threads, excludeCalibration: needsCalibration(entries.map((entry) => entry.spec)) }
    const engine = new EngineClient(this.#options.spawnEngine, this.#options.limits)
    const run = new LiveRun({
      history: this.#history,
      engine,
      runId: id,
      owner: this.#self.owner,
      project: spec.project,
      settings,
      environmentId,
      notes,
      now: this.#now,
    })
    this.#live.set(id, { run, ended: this.#finish(run) })
    this.#beat ??= setInterval(() => void this.#signOfLife(), beatSeconds * 1000)
  }

  async #finish(run: LiveRun): Promise<void> {
    const ending = await run.run()
    const save = async (): Promise<void> => {
      await run.end(ending)
      this.#unsaved.delete(run.runId)
    }
    this.#unsaved.set(run.runId, save)
    await save().catch(() => {
      run.log.tellUnsaved({ type: 'ended', ...ending })
    })
    this.#live.delete(run.runId)
    if (this.#live.size === 0 && this.#unsaved.size === 0) this.#stopBeating()
  }

  async #signOfLife(): Promise<void> {
    const asked = await this.#history
      .write(() => {
        this.#history.leases.beat(this.#self.owner, this.#now())
        return this.#history.leases.cancelAsked(this.#self.owner)
      })
      .catch(() => [])
    for (const id of asked) this.#live.get(id)?.run.stop('cancelled')
    if (this.#live.size > 0) return
    for (const save of this.#unsaved.values()) await save().catch(() => undefined)
    if (this.#unsaved.size === 0) this.#stopBeating()
  }

  #stopBeating(): void {
    clearInterval(this.#beat)
    this.#beat = undefined
  }

  async #change(id: number, work: () => void): Promise<void> {
    this.#existing(id)
    await this.#history.write(work)
  }

  #existing(id: number): RunRow {
    const run = this.#history.read(() => this.#history.runs.get(id))
    if (!run) throw new AppError('NOT_FOUND', `There is no run ${id} in the history; "hinm list" shows the runs that there are.`)
    return run
  }

  #assertResumable(id: number, view: ProjectView): void {
    const open = this.#history.cases.ofRun(id).filter(({ status }) => status === 'planned' || status === 'running' || status === 'cancelled')
    if (open.length === 0)
      throw new AppError('INVALID_ARGUMENT', `Every case of run ${id} has come to an end, so nothing is left to resume; start a new run instead.`)
    for (const { spec, modelHash } of open) {
      const found = view.models.find((entry) => entry.task === spec.model)
      if (modelHash === null || found?.model?.hash === modelHash) continue
      throw new AppError(
        'INVALID_ARGUMENT',
        `The model file of ${spec.model} is no longer the one that run ${id} began with, so its rows would not compare; put the file back or start a new run.`,
      )
    }
  }

  /** A run as shown: where the history cannot be written, a dead run's row still says "running". */
  #seen<T extends RunSummary>(run: T): T {
    if (!this.#history.readOnly || run.status !== 'running') return run
    const lease = this.#history.leases.of(run.id)
    return lease && isAlive(lease, this.#self, this.#now()) ? run : { ...run, status: 'interrupted', reason: interruptedReason }
  }
}

const besideNote = (other: number): LastingBody => ({
  type: 'note',
  level: 'warning',
  message: `Run ${other} goes on in another window or command at the same time; both disturb each other's kernel times.`,
})
