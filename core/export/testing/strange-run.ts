import * as v from 'valibot'
import type { CaseRecord } from '../../../contract/case.ts'
import type { Metrics } from '../../../contract/metric.ts'
import { RunSpec, type RunDetail } from '../../../contract/run.ts'

/** Text that spreadsheets, HTML, Markdown, terminals and readers of right-to-left text would act on. */
export const strangeNames = [
  '=1+1',
  '+1',
  '-1+1',
  '@SUM(A1)',
  '\tx',
  'a,b;c\td',
  'say "so"',
  'two\nlines',
  '<img src=x onerror=alert(1)>',
  '| a | b |',
  '\u001B[31mred',
  'abc\u202Etxt',
  'x'.repeat(10_000),
]

function record(index: number, model: string, metrics: Metrics): CaseRecord {
  return {
    id: index + 1,
    index,
    spec: {
      model,
      layer: null,
      pattern: { kind: 'hinm', vector: 32, vectorSparsity: 1 - 0.1 * 2, n: 2, m: 4 },
      strategy: 'gyro',
      saliency: 'magnitude',
      correction: 'none',
      seed: 1,
      budget: null,
    },
    result: { status: 'done', reason: null, sparsityAchieved: 89.5, metrics, layers: [], samples: [], seconds: 1, notes: [] },
    status: 'done',
    reason: null,
    modelHash: null,
  }
}

/** A run with a case for every strange name and for every strange number. */
export function strangeRun(metrics: Metrics[] = []): RunDetail {
  const cases = [...strangeNames.map((name) => ({ name, metrics: {} })), ...metrics.map((each) => ({ name: 'plain', metrics: each }))]
  return {
    id: 7,
    name: 'a <b>run</b>',
    project: '/p',
    status: 'done',
    reason: null,
    note: '=1+1',
    tags: [],
    startedAt: 0,
    endedAt: 1,
    counts: { done: cases.length },
    spec: v.parse(RunSpec, { project: '/p', patterns: ['hinm'], sparsities: [90] }),
    environment: { app: '1', host: 'cli', platform: 'linux-x64', facts: { 'cpu.model': { value: '=cpu|1' } } },
    cases: cases.map(({ name, metrics: each }, index) => record(index, name, each)),
    lastSeq: 0,
  }
}
