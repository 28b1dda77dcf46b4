import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ProjectView } from '../../contract/api.ts'
import type { AppError } from '../../contract/error.ts'
import { RunSpec, type RunEvent } from '../../contract/run.ts'
import { openHistory, type History } from '../../db/history.ts'
import { Experiments } from './experiments.ts'
import { fakeEngines, twoModels, type Behaviour, type FakeEngines } from './testing/fake-engine.ts'

const limits = { graceMilliseconds: 50, silenceSeconds: 2, stallSeconds: 60 }

let folder: string
let history: History
let view: ProjectView
const opened: Experiments[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hinm-experiments-'))
  history = openHistory(join(folder, 'history.db'))
  view = twoModels()
})

afterEach(async () => {
  for (const experiments of opened.splice(0)) await experiments.close()
  history.close()
  rmSync(folder, { recursive: true, force: true })
})

const spec = (changes: Partial<v.InferInput<typeof RunSpec>> = {}): RunSpec =>
  v.parse(RunSpec, {
    project: '/projects/two',
    models: ['small'],
    patterns: ['dense', '2:4', 'hinm'],
    sparsities: [75],
    strategies: ['none', 'gyro'],
    ...changes,
  })

function experimentsWith(engines: FakeEngines, environment = 'a test'): Experiments {
  const experiments = new Experiments({
    history,
    spawnEngine: engines.spawn,
    inspect: () => Promise.resolve(view),
    environment: () => Promise.resolve({ app: '0', host: 'cli', platform: 'test', facts: { cpu: { value: environment } } }),
    limits,
  })
  opened.push(experiments)
  return experiments
}

const withBehaviour = (behaviour: (index: number) => Behaviour): { experiments: Experiments; engines: FakeEngines } => {
  const engines = fakeEngines(view, (_request, index) => behaviour(index))
  return { engines, experiments: experimentsWith(engines) }
}

async function all(events: AsyncIterable<RunEvent>): Promise<RunEvent[]> {
  const found: RunEvent[] = []
  for await (const event of events) found.push(event)
  return found
}

const statuses = async (experiments: Experiments, id: number): Promise<string[]> => (await experiments.get(id)).cases.map(({ status }) => status)

describe('a run', () => {
  it('does its cases in order, saves each, and ends its event stream', async () => {
    const { experiments, engines } = withBehaviour(() => 'answer')
    const id = await experiments.start(spec())
    const events = await all(experiments.watch(id, 0))

    // dense, 2:4 with two strategies, hinm with two strategies
    expect(engines.asked.map(({ spec: asked }) => `${asked.pattern.kind} ${asked.strategy}`)).toEqual([
      'dense none',
      'n:m none',
      'n:m gyro',
      'hinm none',
      'hinm gyro',
    ])
    expect(engines.started).toBe(1)
    expect(events.filter(({ type }) => type === 'case-finished')).toHaveLength(5)
    expect(events.at(-1)).toMatchObject({ type: 'ended', status: 'done', reason: null })
    expect(events.every((event, index) => index === 0 || event.seq > events[index - 1]!.seq)).toBe(true)

    const run = await experiments.get(id)
    expect(run.counts.done).toBe(5)
    expect(run.cases[0]!.result).toMatchObject({
      status: 'done',
      sparsityAchieved: 75,
      metrics: { 'saliency.retained': { value: 0.5, unit: 'ratio' } },
      notes: ['a note'],
    })
    expect(run.cases[0]!.result!.layers[0]!.metrics['mask.kept']).toEqual({ value: 1024, unit: 'count' })
  })

  it('keeps raw samples to the last bit', async () => {
    const { experiments } = withBehaviour(() => 'answer')
    const id = await experiments.start(spec({ patterns: ['dense'], seeds: [7] }))
    await all(experiments.watch(id, 0))
    const [set] = experiments.samples((await experiments.get(id)).cases[0]!.id)
    expect(set).toEqual({ layer: 'fc1', metric: 'kernel.time', values: [1.5, 1e-320, -0, 7] })
    expect(Object.is(set!.values[2], -0)).toBe(true)
  })

  it('goes on after a crash, which fails its own case only', async () => {
    const { experiments, engines } = withBehaviour((index) => (index === 1 ? 'crash' : 'answer'))
    const id = await experiments.start(spec())
    await all(experiments.watch(id, 0))
    const run = await experiments.get(id)
    expect(run.cases.map(({ status }) => status)).toEqual(['done', 'failed', 'done', 'done', 'done'])
    expect(run.cases[1]!.reason).toContain('SIGSEGV')
    expect(run.status).toBe('done')
    expect(engines.started).toBe(2)
  })

  it('ends an engine that falls silent and goes on in a new one', async () => {
    const { experiments, engines } = withBehaviour((index) => (index === 0 ? 'hang' : 'answer'))
    const id = await experiments.start(spec({ patterns: ['dense', '2:4'], strategies: ['none'] }))
    await all(experiments.watch(id, 0))
    const run = await experiments.get(id)
    expect(run.cases.map(({ status }) => status)).toEqual(['failed', 'done'])
    expect(run.cases[0]!.reason).toContain('no sign of life')
    expect(engines.started).toBe(2)
  })

  it.each(['wait', 'hang'] as const)('stops when it is cancelled, whether the engine obeys or not (%s)', async (behaviour) => {
    const { experiments } = withBehaviour((index) => (index === 1 ? behaviour : 'answer'))
    const id = await experiments.start(spec())
    for await (const event of experiments.watch(id, 0)) if (event.type === 'case-progress' && event.caseId === 2) break
    await experiments.cancel(id)
    expect(await statuses(experiments, id)).toEqual(['done', 'cancelled', 'planned', 'planned', 'planned'])
    expect((await experiments.get(id)).status).toBe('cancelled')
  })

  it('is resumed with the cases that are left, and only those', async () => {
    const first = withBehaviour((index) => (index === 1 ? 'wait' : 'answer'))
    const id = await first.experiments.start(spec())
    for await (const event of first.experiments.watch(id, 0)) if (event.type === 'case-progress' && event.caseId === 2) break
    await first.experiments.close()
    expect((await first.experiments.get(id)).status).toBe('interrupted')

    const second = withBehaviour(() => 'answer')
    expect(await second.experiments.resume(id)).toBe(id)
    await all(second.experiments.watch(id, 0))
    expect(second.engines.asked.map(({ spec: asked }) => `${asked.pattern.kind} ${asked.strategy}`)).toEqual(['n:m none', 'n:m gyro', 'hinm none', 'hinm gyro'])
    expect(await statuses(second.experiments, id)).toEqual(['done', 'done', 'done', 'done', 'done'])
    await expect(second.experiments.resume(id)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
  })

  it('says on resuming that the environment has changed, beside each number that it changes', async () => {
    const first = withBehaviour(() => 'wait')
    const id = await first.experiments.start(spec({ patterns: ['dense'] }))
    await first.experiments.close()
    const second = experimentsWith(
      fakeEngines(view, () => 'answer'),
      'another machine',
    )
    await second.resume(id)
    const events = await all(second.watch(id, 0))
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'note', level: 'warning', message: expect.stringContaining('cpu was a test and is now another machine') as string }),
    )
    expect((await second.get(id)).cases[0]!.result!.notes[0]).toContain('another environment')
  })

  it('is not resumed with another model file', async () => {
    const { experiments } = withBehaviour(() => 'wait')
    const id = await experiments.start(spec({ patterns: ['dense'] }))
    await experiments.cancel(id)
    view.models[0]!.model!.hash = 'c'.repeat(64)
    const refused = await experiments.resume(id).catch((thrown: unknown) => thrown as AppError)
    expect(refused).toMatchObject({ code: 'INVALID_ARGUMENT', message: expect.stringContaining('no longer the one') as string })
  })

  it('is refused while another one goes on in this process', async () => {
    const { experiments } = withBehaviour(() => 'wait')
    const id = await experiments.start(spec())
    await expect(experiments.start(spec())).rejects.toMatchObject({ code: 'ALREADY_RUNNING' })
    await experiments.cancel(id)
    await experiments.start(spec())
  })

  it('of a process that is gone is shown as interrupted, with the case in flight lost and the others kept', async () => {
    const { experiments } = withBehaviour((index) => (index === 1 ? 'wait' : 'answer'))
    const id = await experiments.start(spec())
    for await (const event of experiments.watch(id, 0)) if (event.type === 'case-progress' && event.caseId === 2) break
    // The lease of a process that does not exist, as a killed application leaves it.
    const { database } = rawDatabase()
    database.prepare(`UPDATE run_lease SET owner = 'gone', pid = 2147483646 WHERE run_id = ?`).run(id)
    const other = experimentsWith(fakeEngines(view, () => 'answer'))
    const [run] = await other.list()
    expect(run).toMatchObject({ id, status: 'interrupted' })
    expect(run!.counts).toMatchObject({ done: 1, cancelled: 1, planned: 3 })
    // A watcher that had seen progress of the live run still gets the end.
    expect((await all(other.watch(id, 50))).at(-1)).toMatchObject({ type: 'ended', status: 'interrupted' })
    await other.resume(id)
    await all(other.watch(id, 0))
    expect(await statuses(other, id)).toEqual(['done', 'done', 'done', 'done', 'done'])
  })

  it('stops when another process took it over, without touching what that one does', async () => {
    const { experiments } = withBehaviour((index) => (index === 1 ? 'wait' : 'answer'))
    const id = await experiments.start(spec())
    for await (const event of experiments.watch(id, 0)) if (event.type === 'case-progress' && event.caseId === 2) break
    const { database } = rawDatabase()
    database.prepare(`UPDATE run_lease SET owner = 'other' WHERE run_id = ?`).run(id)
    await experiments.close()
    expect(database.prepare('SELECT owner FROM run_lease').pluck().get()).toBe('other')
    expect(database.prepare('SELECT status FROM run').pluck().get()).toBe('running')
    expect(database.prepare('SELECT status FROM run_case WHERE position = 1').pluck().get()).toBe('running')
    database.close()
  })

  it('tells a second window of its events and takes a cancel from there', async () => {
    const { experiments } = withBehaviour((index) => (index === 1 ? 'wait' : 'answer'))
    const id = await experiments.start(spec())
    const other = experimentsWith(fakeEngines(view, () => 'answer'))
    const seen: string[] = []
    for await (const event of other.watch(id, 0)) {
      seen.push(event.type)
      if (event.type === 'case-started' && event.index === 1) await other.cancel(id)
    }
    expect(seen.at(-1)).toBe('ended')
    expect((await other.get(id)).status).toBe('cancelled')
  })

  it('shows refused cases without running them', async () => {
    const { experiments, engines } = withBehaviour(() => 'answer')
    const id = await experiments.start(spec({ models: ['large'], patterns: ['dense', '2:4'], strategies: ['none'], corrections: ['bias'] }))
    await all(experiments.watch(id, 0))
    expect(await statuses(experiments, id)).toEqual(['done', 'refused'])
    expect(engines.asked).toHaveLength(1)
  })
})

const rawDatabase = (): { database: Database.Database } => {
  const database = new Database(join(folder, 'history.db'))
  return { database }
}
