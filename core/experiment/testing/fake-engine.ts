import * as v from 'valibot'
import { ProjectView } from '../../../contract/api.ts'
import type { CaseResult } from '../../../contract/case.ts'
import type { EngineProcess, SpawnEngine } from '../../engine/engine-process.ts'
import type { CaseRequest, FromEngine, ToEngine } from '../../engine/protocol.ts'

/** What the fake engine does with a case: answers, crashes, says nothing for ever, or waits until it is cancelled. */
export type Behaviour = 'answer' | 'crash' | 'hang' | 'wait'

export interface FakeEngines {
  spawn: SpawnEngine
  /** Engines that were started. */
  started: number
  /** Cases that were asked for, in order. */
  asked: CaseRequest[]
}

/**
 * Engines in this process that answer by a script: the channel and its timing are real, the work is not. An answer takes
 * `milliseconds()`.
 */
export function fakeEngines(view: ProjectView, behaviour: (request: CaseRequest, index: number) => Behaviour, milliseconds = (): number => 0): FakeEngines {
  const engines: FakeEngines = { spawn: () => spawn(), started: 0, asked: [] }
  const spawn = (): EngineProcess => {
    engines.started++
    const messages: ((message: unknown) => void)[] = []
    const exits: ((code: number | null, signal: string | null) => void)[] = []
    const send = (message: FromEngine): void => {
      setImmediate(() => {
        for (const listener of messages) listener(message)
      })
    }
    const exit = (signal: string): void => {
      setImmediate(() => {
        for (const listener of exits) listener(null, signal)
      })
    }
    const waiting = new Set<number>()
    return {
      post(message) {
        const order = message as ToEngine
        if (order.type === 'cancel') {
          if (waiting.delete(order.id)) send({ type: 'failure', id: order.id, failure: { code: 'CANCELLED', message: 'cancelled' } })
          return
        }
        const { id, request } = order
        if (request.kind === 'inspect') send({ type: 'answer', id, answer: view })
        else if (request.kind === 'environment') send({ type: 'answer', id, answer: { 'cpu.model': { value: 'a test' } } })
        else {
          const what = behaviour(request, engines.asked.push(request) - 1)
          send({ type: 'progress', id, progress: { phase: 'search', done: 1, total: 2 } })
          if (what === 'answer')
            setTimeout(() => {
              send({ type: 'answer', id, answer: resultOf(request) })
            }, milliseconds())
          else if (what === 'crash') exit('SIGSEGV')
          else if (what === 'wait') waiting.add(id)
        }
      },
      onMessage: (listener) => void messages.push(listener),
      onExit: (listener) => void exits.push(listener),
      kill: () => {
        exit('SIGKILL')
      },
    }
  }
  return engines
}

const resultOf = ({ spec }: CaseRequest): CaseResult => ({
  status: 'done',
  reason: null,
  sparsityAchieved: 75,
  metrics: { 'saliency.retained': { value: 0.5, unit: 'ratio' }, 'kernel.time': { value: null, unit: 'ms', reason: 'not measured' } },
  layers: [{ layer: 'fc1', rows: 64, cols: 64, status: 'done', reason: null, sparsityAchieved: 75, metrics: { 'mask.kept': { value: 1024, unit: 'count' } } }],
  samples: [{ layer: 'fc1', metric: 'kernel.time', values: [1.5, 1e-320, -0, spec.seed] }],
  seconds: 0.25,
  notes: ['a note'],
})

/** A project of two small models, one with calibration samples. */
export function twoModels(): ProjectView {
  const task = (name: string, calibration: object): object => ({
    name,
    model: `${name}.onnx`,
    data: { format: 'idx', inputs: 'images', labels: 'labels' },
    input: { name: 'image', type: 'float32', shape: [1, 8, 8] },
    output: { name: 'logits' },
    metric: 'top-1',
    ...calibration,
  })
  const layer = (name: string, rows: number): object => {
    const axes = { shape: [rows, 64], axes: ['out', 'in'], colAxes: 'in', dtype: 'float32' }
    return { name, op: 'Gemm', rows, cols: 64, ...axes, uses: [name], eligible: true, reason: null }
  }
  const model = (name: string, digit: string): object => ({
    name,
    format: 'ONNX',
    hash: digit.repeat(64),
    bytes: 1000,
    layers: [layer('fc1', 64), layer('fc2', 10)],
  })
  // Parsed, so that settings with a default need no mention here.
  return v.parse(ProjectView, {
    path: '/projects/two/project.json',
    project: { schema: 'hinm-project/1', name: 'two', tasks: [task('small', { calibration: { first: 0, count: 10 } }), task('large', {})] },
    models: [
      { task: 'small', model: model('small', 'a'), reason: null },
      { task: 'large', model: model('large', 'b'), reason: null },
    ],
  })
}
