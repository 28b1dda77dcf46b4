import type * as Runtime from 'onnxruntime-node'
import { AppError } from '../../contract/error.ts'
import type { InputArray, InputBatch } from './samples.ts'

export type Session = Runtime.InferenceSession
export type OutputTensor = Runtime.Tensor

/** onnxruntime is an optional package: it is loaded when accuracy is first asked for. */
async function loadRuntime(): Promise<typeof Runtime> {
  return await import('onnxruntime-node').catch((cause: unknown) => {
    throw new AppError(
      'ENGINE_UNAVAILABLE',
      'Accuracy needs the package onnxruntime-node, which could not be loaded on this machine; run "npm install" again or measure without accuracy.',
      { cause },
    )
  })
}

/** Errors only: warnings about unused initializers would fill the log on every pruned model. */
const logErrorsOnly = 3

/**
 * A session on the CPU for a model held in memory.
 * @throws AppError MODEL_UNSUPPORTED with the runtime's own words when it refuses the graph
 */
export async function openSession(model: Uint8Array, threads: number): Promise<Session> {
  const runtime = await loadRuntime()
  const options: Runtime.InferenceSession.SessionOptions = {
    executionProviders: ['cpu'],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    logSeverityLevel: logErrorsOnly,
  }
  return await runtime.InferenceSession.create(model, options).catch((cause: unknown) => {
    throw new AppError('MODEL_UNSUPPORTED', `ONNX Runtime cannot run this model: ${reasonOf(cause)}. Check the operator set or export the model again.`, {
      cause,
    })
  })
}

/** Runs one batch and gives the outputs by name: all of the session's, or those named. */
export async function runBatch(session: Session, input: string, batch: InputBatch, outputs?: readonly string[]): Promise<Record<string, OutputTensor>> {
  if (!session.inputNames.includes(input)) {
    throw new AppError('TASK_INVALID', `The model has no input "${input}"; its inputs are ${session.inputNames.join(', ')}. Correct input.name in the task.`)
  }
  return await runFeeds(session, { [input]: batch }, outputs).catch((cause: unknown) => {
    const message = `ONNX Runtime refused the input "${input}" of shape [${batch.dims.join(', ')}]: ${reasonOf(cause)}. Correct the input in the task.`
    throw new AppError('TASK_INVALID', message, { cause })
  })
}

/** Runs a session on inputs by name. @throws Error with the runtime's own words */
export async function runFeeds(session: Session, inputs: Record<string, InputBatch>, outputs?: readonly string[]): Promise<Record<string, OutputTensor>> {
  const runtime = await loadRuntime()
  const feeds = Object.fromEntries(Object.entries(inputs).map(([name, { values, dims }]) => [name, new runtime.Tensor(elementType(values), values, dims)]))
  return await (outputs ? session.run(feeds, outputs) : session.run(feeds))
}

function elementType(values: InputArray): 'float32' | 'int32' | 'int64' {
  if (values instanceof Float32Array) return 'float32'
  return values instanceof Int32Array ? 'int32' : 'int64'
}

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause)).replace(/\s+/g, ' ').replace(/\.$/, '')
