// The engine process: the only one that loads the native module and ONNX Runtime. It never ends itself while its parent
// lives, because messages still queued would be lost.
import { failureOf } from '../../contract/error.ts'
import { environmentFacts } from './environment-facts.ts'
import { inspectProject } from './inspect-project.ts'
import type { CaseRequest, EngineAnswers, EngineRequest, FromEngine, Progress, ToEngine } from './protocol.ts'
import { runCase } from './run-case.ts'
import { WarmTask } from './warm-task.ts'

/** Electron's utilityProcess has a port instead of process.send, and wraps what it delivers. */
interface ParentPort {
  postMessage(message: unknown): void
  on(event: 'message', listener: (event: { data: unknown }) => void): void
}
const port = (process as { parentPort?: ParentPort }).parentPort

const send = (message: FromEngine): void => {
  if (port) port.postMessage(message)
  // An error here means that the parent is gone, which the disconnect below answers.
  else process.send?.(message, undefined, undefined, () => undefined)
}

const open = new Map<number, AbortController>()
let warm: { key: string; task: Promise<WarmTask> } | undefined

/** Cases come model by model, so one task is kept warm and the one before is let go. */
function warmTask({ project, spec, modelHash }: CaseRequest): Promise<WarmTask> {
  const key = JSON.stringify([project, spec.model, modelHash])
  if (warm?.key === key) return warm.task
  warm?.task.then((task) => task.close()).catch(() => undefined)
  const task = WarmTask.open(project, spec.model)
  warm = { key, task }
  task.catch(() => {
    if (warm?.task === task) warm = undefined
  })
  return task
}

async function answer(id: number, request: EngineRequest, signal: AbortSignal): Promise<EngineAnswers[keyof EngineAnswers]> {
  if (request.kind === 'inspect') return await inspectProject(request.project)
  if (request.kind === 'environment') return await environmentFacts()
  const onProgress = latest<Progress>((progress) => {
    send({ type: 'progress', id, progress })
  })
  return await runCase(await warmTask(request), request, { signal, onProgress })
}

/** Passes on at most one call in 33 ms; a new phase always. */
function latest<T extends { phase: string }>(pass: (value: T) => void): (value: T) => void {
  let phase = ''
  let at = -Infinity
  return (value) => {
    const now = performance.now()
    if (value.phase === phase && now - at < 33) return
    phase = value.phase
    at = now
    pass(value)
  }
}

async function serve(id: number, request: EngineRequest): Promise<void> {
  const controller = new AbortController()
  open.set(id, controller)
  try {
    send({ type: 'answer', id, answer: await answer(id, request, controller.signal) })
  } catch (thrown) {
    const failure = failureOf(thrown)
    if (failure.code === 'INTERNAL') console.error(thrown)
    send({ type: 'failure', id, failure })
  } finally {
    open.delete(id)
  }
}

function receive(message: ToEngine): void {
  if (message.type === 'cancel') open.get(message.id)?.abort()
  else void serve(message.id, message.request)
}

if (port) {
  port.on('message', ({ data }) => {
    receive(data as ToEngine)
  })
} else {
  process.on('message', (message) => {
    receive(message as ToEngine)
  })
  // The parent is gone. SIGKILL, because an orderly exit would wait for native threads that may never end.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
}
// A Ctrl-C in a terminal reaches the whole process group; the parent decides what it means.
process.on('SIGINT', () => undefined)
setInterval(() => {
  send({ type: 'alive' })
}, 1000)
