import { describe, expect, it } from 'vitest'
import type { CaseRecord } from '../../../contract/case.ts'
import type { RunDetail, RunEvent, RunEventBody } from '../../../contract/run.ts'
import { fakeResult, makeFakeClient, fakePath } from '../testing/fake-client.ts'
import { applyEvent, liveRun, logText, timeLeft, type LiveRun } from './live-run.ts'

async function started(): Promise<LiveRun> {
  const client = makeFakeClient()
  const { id } = await client.runs.start({ project: fakePath, models: ['mlp'], patterns: ['dense', '2:4'] })
  const detail: RunDetail = await client.runs.get({ id })
  for (const record of detail.cases) record.status = 'planned'
  return liveRun(detail)
}
const event = (seq: number, body: RunEventBody): RunEvent => ({ ...body, seq, runId: 1, at: seq * 1000 })
const finished = (record: CaseRecord): CaseRecord => ({ ...record, status: 'done', result: { ...fakeResult(record.spec), seconds: 4 } })

describe('a live run', () => {
  it('follows a case from planned over running to done', async () => {
    const live = await started()
    const [first] = live.detail.cases
    applyEvent(live, event(1, { type: 'case-started', caseId: first!.id, index: 0, label: 'mlp · dense' }))
    expect(live.detail.cases[0]?.status).toBe('running')
    applyEvent(live, event(2, { type: 'case-progress', caseId: first!.id, phase: 'accuracy', done: 1, total: 4 }))
    expect(live.progress.get(first!.id)).toEqual({ phase: 'accuracy', done: 1, total: 4 })
    applyEvent(live, event(3, { type: 'case-finished', case: finished(first!) }))
    expect(live.detail.cases[0]?.status).toBe('done')
    expect(live.progress.size).toBe(0)
  })

  it('takes every event in once, however often it is told', async () => {
    const live = await started()
    const note = event(1, { type: 'note', level: 'warning', message: 'The environment changed.' })
    applyEvent(live, note)
    applyEvent(live, note)
    expect(live.log).toHaveLength(1)
    expect(live.seq).toBe(1)
  })

  it('writes the reason of a failed case into the log', async () => {
    const live = await started()
    const [first] = live.detail.cases
    applyEvent(live, event(1, { type: 'case-finished', case: { ...finished(first!), status: 'failed', reason: 'The engine crashed.' } }))
    expect(live.log[0]).toMatchObject({ level: 'error', text: 'Case 1 failed: The engine crashed.' })
  })

  it('knows no time left before a case is finished, and then counts what is open', async () => {
    const live = await started()
    expect(timeLeft(live)).toBeNull()
    const [first, second] = live.detail.cases
    applyEvent(live, event(1, { type: 'case-finished', case: finished(first!) }))
    // One of two cases took 4 s, so the other takes about 4 s.
    expect(timeLeft(live)).toEqual({ seconds: 4, atLeast: false })
    applyEvent(live, event(2, { type: 'case-progress', caseId: second!.id, phase: 'accuracy', done: 1, total: 4 }))
    // A quarter of it is done: 3 s are left.
    expect(timeLeft(live)).toEqual({ seconds: 3, atLeast: false })
  })

  it('says that time left is a lower bound while a model has no finished case', async () => {
    const live = await started()
    const [first, second] = live.detail.cases
    second!.spec.model = 'cnn'
    applyEvent(live, event(1, { type: 'case-finished', case: finished(first!) }))
    expect(timeLeft(live)).toEqual({ seconds: 0, atLeast: true })
  })

  it('ends with the status and reason it is told', async () => {
    const live = await started()
    applyEvent(live, event(1, { type: 'ended', status: 'failed', reason: 'The disk is full.' }))
    expect(live.detail).toMatchObject({ status: 'failed', reason: 'The disk is full.', endedAt: 1000 })
  })

  it('copies its log with times that mean the same everywhere', () => {
    expect(logText([{ seq: 1, at: 0, level: 'info', text: 'Run started.' }])).toBe('1970-01-01T00:00:00.000Z info    Run started.')
  })
})
