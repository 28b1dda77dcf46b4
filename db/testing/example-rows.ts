import * as v from 'valibot'
import type { CaseResult, CaseSpec } from '../../contract/case.ts'
import type { Environment } from '../../contract/environment.ts'
import { RunSpec } from '../../contract/run.ts'
import type { History } from '../history.ts'

export const environment: Environment = {
  app: '1.0.0',
  host: 'cli',
  platform: 'linux-x64',
  facts: { 'cpu.model': { value: 'a test' }, gpu: { value: null, reason: 'none' } },
}

const caseSpec: CaseSpec = {
  model: 'small',
  layer: null,
  pattern: { kind: 'hinm', vector: 32, vectorSparsity: 0.5, n: 2, m: 4 },
  strategy: 'gyro',
  saliency: 'magnitude',
  correction: 'none',
  seed: 1,
  budget: null,
}

export const caseResult: CaseResult = {
  status: 'done',
  reason: null,
  sparsityAchieved: 75,
  metrics: { 'saliency.retained': { value: 0.5, unit: 'ratio' }, 'kernel.time': { value: null, unit: 'ms', reason: 'not measured' } },
  layers: [
    { layer: 'fc1', rows: 64, cols: 64, status: 'refused', reason: 'too small', sparsityAchieved: 0, metrics: { 'mask.kept': { value: 4096, unit: 'count' } } },
  ],
  samples: [{ layer: 'fc1', metric: 'kernel.time', values: [1.5, 2.5] }],
  seconds: 0.25,
  notes: ['a note'],
}

/** A run of `cases` planned cases; call it inside `history.write`. */
export function addRun(history: History, cases: number, uid: string = crypto.randomUUID()): number {
  const environmentId = history.environments.remember(environment)
  const id = history.runs.create({
    uid,
    name: 'a run',
    project: '/projects/p',
    spec: v.parse(RunSpec, { project: '/projects/p', patterns: ['hinm'], sparsities: [75] }),
    environmentId,
    startedAt: 1000,
  })
  for (let position = 0; position < cases; position++) history.cases.add({ runId: id, position, spec: caseSpec, modelHash: null, refusal: null })
  return id
}
