import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Environment } from '../contract/environment.ts'
import { openHistory, type History } from './history.ts'
import { addRun, caseResult, environment } from './testing/example-rows.ts'

let folder: string
let history: History

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hinm-history-test-'))
  history = openHistory(join(folder, 'deep', 'down', 'history.db'))
})
afterEach(() => {
  history.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('a case', () => {
  it('comes back as it was saved, its samples apart', async () => {
    const id = await history.write(() => addRun(history, 1))
    const caseId = history.cases.ofRun(id)[0]!.id
    await history.write(() => {
      history.cases.finish(caseId, caseResult, history.environments.remember(environment), 2000)
    })
    expect(history.cases.get(caseId)!.result).toEqual({ ...caseResult, samples: [] })
    expect(history.samples.ofCase(caseId)).toEqual(caseResult.samples)
  })

  it.each([-0, 1e-320, Number.MAX_VALUE, -0.5, 2 ** 53])('keeps the metric %d to the last bit', async (value) => {
    const id = await history.write(() => addRun(history, 1))
    const caseId = history.cases.ofRun(id)[0]!.id
    await history.write(() => {
      history.cases.finish(caseId, { ...caseResult, metrics: { 'kernel.error': { value, unit: 'ratio' } } }, 1, 2000)
    })
    expect(Object.is(history.cases.get(caseId)!.result!.metrics['kernel.error']!.value, value)).toBe(true)
  })

  it.each([
    ['few values', [0.1, 0.2]],
    ['many equal ones, which are compressed', Array.from({ length: 10_000 }, (_, index) => index % 2)],
    ['many unlike ones, which are not', Array.from({ length: 10_000 }, (_, index) => Math.sin(index))],
    ['values that a number may take but JSON not', [NaN, Infinity, -Infinity, -0]],
    ['none', []],
  ])('keeps samples to the last bit: %s', async (_name, values) => {
    const id = await history.write(() => addRun(history, 1))
    const caseId = history.cases.ofRun(id)[0]!.id
    await history.write(() => {
      history.samples.add(caseId, { layer: null, metric: 'accuracy.top1', values })
    })
    expect(history.samples.ofCase(caseId)[0]!.values).toEqual(values)
  })

  it('is replaced as a whole when it is finished again', async () => {
    const id = await history.write(() => addRun(history, 1))
    const caseId = history.cases.ofRun(id)[0]!.id
    for (const seconds of [1, 2]) {
      await history.write(() => {
        history.cases.finish(caseId, { ...caseResult, seconds }, 1, 2000)
      })
    }
    expect(history.cases.get(caseId)!.result).toMatchObject({ seconds: 2, layers: caseResult.layers })
    expect(history.samples.ofCase(caseId)).toHaveLength(1)
  })

  it('is saved whole or not at all', async () => {
    const id = await history.write(() => addRun(history, 1))
    const caseId = history.cases.ofRun(id)[0]!.id
    const broken = history.write(() => {
      history.cases.finish(caseId, caseResult, 1, 2000)
      throw new Error('the process fell over here')
    })
    await expect(broken).rejects.toThrow('fell over')
    expect(history.cases.get(caseId)).toMatchObject({ status: 'planned', result: null })
    expect(history.samples.ofCase(caseId)).toEqual([])
  })
})

describe('the history', () => {
  it('keeps one row for equal environments, whatever the order of their facts', async () => {
    const facts = Object.fromEntries(Object.entries(environment.facts).reverse())
    const ids = await history.write(() =>
      [environment, { ...environment, facts }, { ...environment, app: '2' } satisfies Environment].map((each) => history.environments.remember(each)),
    )
    expect(ids[1]).toBe(ids[0])
    expect(ids[2]).not.toBe(ids[0])
    expect(history.environments.get(ids[0]!)).toEqual(environment)
  })

  it('refuses a status that the contract does not know', async () => {
    const id = await history.write(() => addRun(history, 1))
    const broken = history.write(() => {
      history.runs.setStatus(id, 'finished' as 'done', null, null)
    })
    await expect(broken).rejects.toThrow('CHECK constraint')
  })

  it('opens again with what was written', async () => {
    const id = await history.write(() => addRun(history, 2))
    history.close()
    history = openHistory(join(folder, 'deep', 'down', 'history.db'))
    expect(history.runs.list()).toMatchObject([{ id, name: 'a run', counts: { planned: 2, done: 0 } }])
  })

  it('never gives an event number twice, also after its process has ended', async () => {
    const id = await history.write(() => addRun(history, 1))
    await history.write(() => {
      history.runs.reserveSequence(id, 500)
      history.runs.reserveSequence(id, 100)
    })
    expect(history.runs.lastSequence(id)).toBe(500)
  })

  it('remembers projects with the latest first', async () => {
    await history.write(() => {
      history.projects.remember('/a', 'A', 1)
      history.projects.remember('/b', 'B', 2)
      history.projects.remember('/a', 'A again', 3)
    })
    expect(history.projects.recent(10)).toEqual([
      { path: '/a', name: 'A again', openedAt: 3 },
      { path: '/b', name: 'B', openedAt: 2 },
    ])
  })
})
