import { AsyncIteratorClass } from '@orpc/client'
import type { ProjectView } from '../../../contract/api.ts'
import { caseLabel } from '../../../contract/case-label.ts'
import type { CaseRecord, CaseResult, CaseSpec } from '../../../contract/case.ts'
import { AppError } from '../../../contract/error.ts'
import { metric } from '../../../contract/metric.ts'
import { askedSparsity, expandPattern } from '../../../contract/pattern.ts'
import { RunSpec, type RunDetail, type RunEvent, type RunEventBody, type RunRequest, type RunSummary } from '../../../contract/run.ts'
import * as v from 'valibot'
import type { Client } from '../client.ts'

/**
 * The contract in memory, for component tests. Its numbers are made up and bear no relation to any measurement;
 * a test decides when a case is finished.
 */
export interface FakeClient extends Client {
  /** Finishes the next case of a run that goes on. */
  finishCase(runId: number, result?: Partial<CaseResult>): void
  emit(runId: number, body: RunEventBody): void
  /** Breaks every open stream, as a lost connection does. */
  dropStreams(): void
}

interface FakeRun {
  detail: RunDetail
  events: RunEvent[]
}

export const fakePath = '/samples/fake'
export const fakeProject: ProjectView = {
  path: fakePath,
  project: { schema: 'hinm-project/1', name: 'Fake project', description: 'Two models that exist only in tests.', tasks: [], defaults: {} },
  models: [
    {
      task: 'mlp',
      reason: null,
      model: {
        name: 'mlp',
        format: 'ONNX',
        hash: 'ab',
        bytes: 4_000_000,
        layers: [layer('fc1', 256, 784), layer('fc2', 10, 256), { ...layer('tiny', 4, 6), eligible: false, reason: 'K = 6 is below 32.' }],
      },
    },
    { task: 'cnn', reason: null, model: { name: 'cnn', format: 'ONNX', hash: 'cd', bytes: 500_000, layers: [layer('conv1', 64, 288)] } },
    { task: 'lost', reason: 'The file lost.onnx does not exist; check the path in the project file.', model: null },
  ],
}

function layer(name: string, rows: number, cols: number) {
  return { name, op: 'Gemm', rows, cols, shape: [rows, cols], axes: ['out', 'in'], colAxes: 'in', dtype: 'float32', uses: [name], eligible: true, reason: null }
}

const environment = {
  app: '0.0.0',
  host: 'server',
  platform: 'test',
  facts: { 'cpu.model': { value: 'Imaginary CPU' }, 'gpu.name': { value: null, reason: 'no driver was found' } },
} as const

function casesOf(request: RunRequest): CaseSpec[] {
  const spec = v.parse(RunSpec, request)
  const models = fakeProject.models.map((entry) => entry.task).filter((task) => spec.models.length === 0 || spec.models.includes(task))
  return models.flatMap((model) =>
    spec.patterns.flatMap((name) =>
      expandPattern(
        name,
        spec.sparsities.map((sparsity) => sparsity / 100),
        spec.vectors,
      ).flatMap((pattern) =>
        (pattern.kind === 'dense' ? ['none' as const] : spec.strategies).map((strategy) => ({
          model,
          layer: null,
          pattern,
          strategy,
          saliency: 'magnitude' as const,
          correction: 'none' as const,
          seed: 1,
          budget: null,
        })),
      ),
    ),
  )
}

export function fakeResult(spec: CaseSpec): CaseResult {
  const sparsity = askedSparsity(spec.pattern)
  const gain = spec.strategy === 'gyro' ? 0.05 : 0
  const metrics = {
    'saliency.retained': metric('saliency.retained', 1 - sparsity * sparsity * 0.6 + gain * sparsity),
    'saliency.relative': metric('saliency.relative', 1 - sparsity * 0.1 + gain),
    'accuracy.top1': metric('accuracy.top1', 90 * (1 - sparsity ** 4) + 100 * gain),
    'accuracy.samples': metric('accuracy.samples', 10_000),
    'kernel.time': metric('kernel.time', 2 * (1 - sparsity) + 0.4),
    'kernel.dense_time': metric('kernel.dense_time', 2),
    'kernel.speedup': metric('kernel.speedup', 2 / (2 * (1 - sparsity) + 0.4)),
  }
  const layers = fakeProject.models.find((entry) => entry.task === spec.model)?.model?.layers ?? []
  return {
    status: 'done',
    reason: null,
    sparsityAchieved: sparsity * 100,
    metrics,
    layers: layers.map((entry) => ({
      layer: entry.name,
      rows: entry.rows,
      cols: entry.cols,
      status: entry.eligible ? 'done' : 'refused',
      reason: entry.reason,
      sparsityAchieved: entry.eligible ? sparsity * 100 : 0,
      metrics: entry.eligible ? { 'saliency.retained': metrics['saliency.retained'] } : {},
    })),
    samples: [],
    seconds: 2,
    notes: [],
  }
}

export function makeFakeClient(options: { recent?: { path: string; name: string; openedAt: number }[] } = {}): FakeClient {
  const runs = new Map<number, FakeRun>()
  const wakers = new Set<() => void>()
  let streams = new AbortController()
  let nextCase = 1

  const wake = (): void => {
    for (const waker of wakers) waker()
  }
  const runOf = (id: number): FakeRun => {
    const run = runs.get(id)
    if (!run) throw new AppError('NOT_FOUND', `There is no run ${id}; choose one from the history.`)
    return run
  }
  const emit = (runId: number, body: RunEventBody): void => {
    const run = runOf(runId)
    run.events.push({ ...body, seq: run.events.length + 1, runId, at: Date.UTC(2026, 0, 1) + run.events.length * 1000 })
    wake()
  }
  const summary = ({ detail }: FakeRun): RunSummary => {
    const counts = Object.fromEntries(
      [...Map.groupBy(detail.cases, (record) => record.status)].map(([status, records]) => [status, records.length]),
    ) as RunSummary['counts']
    return {
      id: detail.id,
      name: detail.name,
      project: detail.project,
      status: detail.status,
      reason: detail.reason,
      note: detail.note,
      tags: detail.tags,
      startedAt: detail.startedAt,
      endedAt: detail.endedAt,
      counts,
    }
  }
  const end = (run: FakeRun, status: RunDetail['status'], reason: string | null): void => {
    run.detail.status = status
    run.detail.reason = reason
    run.detail.endedAt = run.detail.startedAt + 60_000
    emit(run.detail.id, { type: 'ended', status, reason })
  }
  const begin = (run: FakeRun): void => {
    const next = run.detail.cases.find((record) => record.status === 'planned')
    if (!next) {
      end(run, 'done', null)
      return
    }
    next.status = 'running'
    emit(run.detail.id, { type: 'case-started', caseId: next.id, index: next.index, label: caseLabel(next.spec) })
  }
  const finishCase = (runId: number, result: Partial<CaseResult> = {}): void => {
    const run = runOf(runId)
    const record = run.detail.cases.find((candidate) => candidate.status === 'running')
    if (!record) throw new Error(`run ${runId} has no case that goes on`)
    record.result = { ...fakeResult(record.spec), ...result }
    record.status = record.result.status
    record.reason = record.result.reason
    emit(runId, { type: 'case-finished', case: structuredClone(record) })
    begin(run)
  }
  async function* watch(id: number, after: number, signal?: AbortSignal): AsyncGenerator<RunEvent> {
    const { events } = runOf(id)
    const dropped = streams.signal
    for (let place = events.findIndex((event) => event.seq > after); ;) {
      if (signal?.aborted) return
      if (dropped.aborted) throw new Error('the connection was lost')
      if (place < 0) place = events.findIndex((event) => event.seq > after)
      while (place >= 0 && place < events.length) {
        const event = events[place++]!
        yield structuredClone(event)
        if (event.type === 'ended' && place === events.length) return
      }
      await new Promise<void>((resolve) => {
        const done = (): void => {
          wakers.delete(done)
          resolve()
        }
        wakers.add(done)
        signal?.addEventListener('abort', done, { once: true })
        dropped.addEventListener('abort', done, { once: true })
      })
    }
  }

  const client: Client = {
    app: { info: () => Promise.resolve({ version: '0.0.0', host: 'server', environment, readOnly: null }) },
    projects: {
      recent: () => Promise.resolve(options.recent ?? []),
      forget: () => Promise.resolve({}),
      sample: () => Promise.resolve({ path: fakePath }),
      open: ({ path }) =>
        path === fakePath
          ? Promise.resolve(structuredClone(fakeProject))
          : Promise.reject(new AppError('FILE_NOT_FOUND', `There is no project at ${path}; check the path.`)),
    },
    runs: {
      plan: (request) => Promise.resolve(casesOf(request).map((spec) => ({ spec, label: caseLabel(spec), refusal: null }))),
      start: (request) => {
        const id = runs.size + 1
        const cases = casesOf(request).map((spec, index): CaseRecord => ({
          id: nextCase++,
          index,
          spec,
          result: null,
          status: 'planned',
          reason: null,
          modelHash: null,
        }))
        const detail: RunDetail = {
          id,
          name: `Run ${id}`,
          project: fakeProject.project.name,
          status: 'running',
          reason: null,
          note: '',
          tags: [],
          startedAt: Date.UTC(2026, 0, 1),
          endedAt: null,
          counts: {},
          spec: v.parse(RunSpec, request),
          environment,
          lastSeq: 0,
          cases,
        }
        const run = { detail, events: [] }
        runs.set(id, run)
        emit(id, { type: 'started', total: cases.length })
        begin(run)
        return Promise.resolve({ id })
      },
      resume: ({ id }) => {
        const run = runOf(id)
        for (const record of run.detail.cases) if (record.status === 'cancelled') record.status = 'planned'
        run.detail.status = 'running'
        run.detail.endedAt = null
        emit(id, { type: 'started', total: run.detail.cases.length })
        begin(run)
        return Promise.resolve({ id })
      },
      cancel: ({ id }) => {
        const run = runOf(id)
        for (const record of run.detail.cases) if (record.status === 'planned' || record.status === 'running') record.status = 'cancelled'
        end(run, 'cancelled', null)
        return Promise.resolve({})
      },
      watch: ({ id, after }, callOptions) => {
        const events = watch(id, after, callOptions?.signal)
        const next = (): Promise<IteratorResult<RunEvent, unknown>> => events.next()
        return Promise.resolve(
          new AsyncIteratorClass<RunEvent, unknown, void>(next, async () => {
            await events.return(undefined)
          }),
        )
      },
      list: () => Promise.resolve([...runs.values()].map(summary)),
      get: ({ id }) => Promise.resolve().then(() => structuredClone({ ...runOf(id).detail, counts: summary(runOf(id)).counts })),
      samples: () => Promise.resolve([]),
      rename: ({ id, name }) => {
        runOf(id).detail.name = name
        return Promise.resolve({})
      },
      annotate: ({ id, note, tags }) => {
        Object.assign(runOf(id).detail, { note, tags })
        return Promise.resolve({})
      },
      remove: ({ id }) => {
        runs.delete(id)
        return Promise.resolve({})
      },
      export: ({ id, format }) => Promise.resolve({ name: `run-${id}.${format}`, text: runOf(id).detail.name }),
    },
    history: {
      status: () => Promise.resolve({ file: '/history.db', bytes: 4096, runs: runs.size, readOnly: null, damaged: false, backups: [] }),
      check: () => Promise.resolve({ problems: [] }),
      backUp: () => Promise.resolve({ path: '/backups/history-2026-01-01.db', bytes: 4096, at: Date.UTC(2026, 0, 1) }),
      repair: () => Promise.resolve({ aside: '/history.db.damaged', saved: runs.size, fromBackups: 0, lost: [] }),
      exportTo: () => Promise.resolve({}),
      importFrom: () => Promise.resolve({ added: 0, replaced: 0, known: 0, lost: [] }),
    },
  }
  return Object.assign(client, {
    finishCase,
    emit,
    dropStreams: () => {
      streams.abort()
      streams = new AbortController()
    },
  })
}
