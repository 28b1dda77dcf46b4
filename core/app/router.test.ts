import { createRouterClient, type RouterClient } from '@orpc/server'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fakeEngines, twoModels } from '../experiment/testing/fake-engine.ts'
import { createApp, type App } from './app-context.ts'
import { router } from './router.ts'

let home: string
let app: App
const faults: unknown[] = []

const client = (): RouterClient<typeof router> => createRouterClient(router, { context: app.context })

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'hinm-app-'))
  faults.length = 0
  app = createApp({ host: 'cli', home, version: '1.2.3', spawnEngine: fakeEngines(twoModels(), () => 'answer').spawn, report: (fault) => faults.push(fault) })
})

afterEach(async () => {
  await app.close()
  rmSync(home, { recursive: true, force: true })
})

describe('the router', () => {
  it('tells what the application is and where it runs', async () => {
    const info = await client().app.info()
    expect(info).toMatchObject({ version: '1.2.3', host: 'cli', readOnly: null, environment: { app: '1.2.3', facts: { 'cpu.model': { value: 'a test' } } } })
  })

  it('opens a project and remembers it', async () => {
    const view = await client().projects.open({ path: 'two' })
    expect(view.project.name).toBe('two')
    expect(await client().projects.recent()).toMatchObject([{ path: view.path, name: 'two' }])
  })

  it('runs, streams and lists', async () => {
    const { id } = await client().runs.start({ project: 'two', patterns: ['dense', '2:4'] })
    const types: string[] = []
    for await (const event of await client().runs.watch({ id, after: 0 })) types.push(event.type)
    expect(types.at(-1)).toBe('ended')
    const [run] = await client().runs.list()
    expect(run).toMatchObject({ id, status: 'done', counts: { done: 4 } })
    const detail = await client().runs.get({ id })
    expect(await client().runs.samples({ caseId: detail.cases[0]!.id })).toHaveLength(1)
  })

  it.each([
    ['a run that is not there', () => client().runs.get({ id: 99 }), 'NOT_FOUND', 'There is no run 99'],
    ['a pattern that is not known', () => client().runs.plan({ project: 'two', patterns: ['3-of-a-kind'] }), 'INVALID_ARGUMENT', '"3-of-a-kind" is not known'],
    [
      'a sparsity out of range',
      () => client().runs.plan({ project: 'two', patterns: ['hinm'], sparsities: [120] }),
      'INVALID_ARGUMENT',
      'A sparsity of 120 % is out of range',
    ],
    [
      'a vector height out of range',
      () => client().runs.plan({ project: 'two', patterns: ['hinm'], sparsities: [75], vectors: [0] }),
      'INVALID_ARGUMENT',
      'A vector height of 0',
    ],
    ['a sparsity that was forgotten', () => client().runs.plan({ project: 'two', patterns: ['hinm'] }), 'INVALID_ARGUMENT', 'needs a sparsity'],
    [
      'a model that the project has not',
      () => client().runs.plan({ project: 'two', patterns: ['dense'], models: ['huge'] }),
      'INVALID_ARGUMENT',
      'no model named "huge"',
    ],
    [
      'a strategy that is not known',
      () => client().runs.plan({ project: 'two', patterns: ['dense'], strategies: ['best' as 'none'] }),
      'INVALID_ARGUMENT',
      '"best" is not one of "none"',
    ],
    [
      'a setting of the wrong type',
      () => client().runs.plan({ project: 'two', patterns: ['dense'], columns: 'many' as unknown as number }),
      'INVALID_ARGUMENT',
      'columns',
    ],
  ])('answers %s with a code and one sentence', async (_name, ask, code, words) => {
    const thrown = await ask().catch((error: unknown) => error)
    expect(thrown).toMatchObject({ code, message: expect.stringContaining(words) as string })
    expect(JSON.stringify(thrown)).not.toContain('    at ')
    expect(faults).toEqual([])
  })

  it('names, annotates, exports and deletes a run', async () => {
    const { id } = await client().runs.start({ project: 'two', models: ['small'], patterns: ['dense'] })
    await expect(client().runs.remove({ id })).rejects.toMatchObject({ code: 'ALREADY_RUNNING' })
    for await (const event of await client().runs.watch({ id, after: 0 })) if (event.type === 'ended') break
    await client().runs.rename({ id, name: '  first  ' })
    await client().runs.annotate({ id, note: '=1+1', tags: ['a', 'b', 'a'] })
    expect(await client().runs.get({ id })).toMatchObject({ name: 'first', note: '=1+1', tags: ['a', 'b'] })
    expect((await client().runs.export({ id, format: 'csv' })).text.split('\r\n')).toHaveLength(4)
    await expect(client().runs.rename({ id, name: ' ' })).rejects.toMatchObject({ message: 'A run needs a name of at least one character.' })
    await client().runs.remove({ id })
    expect(await client().runs.list()).toEqual([])
    await expect(client().runs.rename({ id, name: 'gone' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('backs the history up, writes it out and takes it in again', async () => {
    const { id } = await client().runs.start({ project: 'two', models: ['small'], patterns: ['dense'] })
    for await (const event of await client().runs.watch({ id, after: 0 })) if (event.type === 'ended') break
    const backup = await client().history.backUp()
    const path = join(home, 'all.db')
    await client().history.exportTo({ path })
    await client().runs.remove({ id })
    expect(await client().history.importFrom({ path })).toEqual({ added: 1, replaced: 0, known: 0, lost: [] })
    expect(await client().history.importFrom({ path: backup.path })).toMatchObject({ added: 0, known: 1 })
    expect(await client().history.check()).toEqual({ problems: [] })
    expect(await client().history.status()).toMatchObject({ runs: 1, readOnly: null, damaged: false, backups: [{ path: backup.path }] })
    await expect(client().history.repair()).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
  })

  it('starts beside a damaged history, says so, and works with the repaired one', async () => {
    await app.close()
    writeFileSync(join(home, 'history.db'), 'this was a history once and is none now '.repeat(500))
    app = createApp({ host: 'cli', home, version: '1.2.3', spawnEngine: fakeEngines(twoModels(), () => 'answer').spawn })
    expect((await client().app.info()).readOnly).toMatch(/is damaged \(it does not begin like a database\)/)
    await expect(client().runs.start({ project: 'two', patterns: ['dense'] })).rejects.toMatchObject({ code: 'DATABASE_CORRUPT' })
    expect(await client().history.repair()).toMatchObject({ saved: 0, fromBackups: 0 })
    expect((await client().app.info()).readOnly).toBeNull()
    const { id } = await client().runs.start({ project: 'two', models: ['small'], patterns: ['dense'] })
    expect(id).toBe(1)
  })

  it('keeps a fault of its own in the log', async () => {
    app.context.history.close()
    await expect(client().runs.list()).rejects.toMatchObject({ code: 'INTERNAL' })
    expect(faults).toHaveLength(1)
  })

  it('ends the stream of a run that is not there with the same error', async () => {
    const read = async (): Promise<void> => {
      const seen: string[] = []
      for await (const event of await client().runs.watch({ id: 5, after: 0 })) seen.push(event.type)
    }
    await expect(read()).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
