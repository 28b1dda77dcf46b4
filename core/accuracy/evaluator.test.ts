import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Task } from '../../contract/task.ts'
import type { LayerChange, OpenModel } from '../model/open-model.ts'
import { openModel } from '../model/open-model.ts'
import type { Evaluator } from './evaluator.ts'
import { openEvaluator } from './evaluator.ts'
import { loadProject } from './task-file.ts'

const folder = join(import.meta.dirname, '../../samples/fashion')
let task: Task
let model: OpenModel
let evaluator: Evaluator

beforeAll(async () => {
  const { base, project } = await loadProject(folder)
  task = project.tasks[0]!
  model = await openModel(join(base, task.model))
  evaluator = await openEvaluator(task, base, model)
})
afterAll(async () => {
  await evaluator.close()
})

/** Keeps the 2 largest |w| of every 4 neighbours in K; at equal size the higher index stays. */
function twoOfFour(weights: Float32Array): Float32Array {
  const result = new Float32Array(weights.length)
  for (let start = 0; start < weights.length; start += 4) {
    const order = [0, 1, 2, 3].sort((a, b) => Math.abs(weights[start + b]!) - Math.abs(weights[start + a]!) || b - a)
    for (const i of order.slice(0, 2)) result[start + i] = weights[start + i]!
  }
  return result
}

function pruned(): Map<string, LayerChange> {
  const layers = model.info.layers.filter((layer) => layer.eligible)
  return new Map(layers.map((layer) => [layer.name, { weights: twoOfFour(model.weights(layer.name)) }]))
}

describe('accuracy of fashion-mlp', () => {
  it('is 89.80 % dense on all 10,000 images, with every prediction kept', async () => {
    const { metrics, samples, correct } = await evaluator.evaluate(new Map(), { excludeCalibration: false, threads: 2 })
    expect(metrics['accuracy.top1']?.value).toBeCloseTo(89.8, 2)
    expect(metrics['accuracy.samples']?.value).toBe(10_000)
    expect(samples).toBe(10_000)
    expect(correct.reduce((sum, one) => sum + one, 0)).toBe(8980)
  })

  it('is 88.28 % at 2:4 without correction', async () => {
    const { metrics } = await evaluator.evaluate(pruned(), { excludeCalibration: false, threads: 2 })
    expect(metrics['accuracy.top1']?.value).toBeCloseTo(88.28, 1)
  })

  it('leaves the 1,000 calibration images out when asked', async () => {
    const { samples, metrics } = await evaluator.evaluate(new Map(), { excludeCalibration: true, threads: 2 })
    expect(samples).toBe(9000)
    expect(metrics['accuracy.top1']?.value).toBeCloseTo(89.72, 1)
  })

  it('is the same when layers are replaced by themselves', async () => {
    const same = new Map(model.info.layers.map((layer) => [layer.name, { weights: model.weights(layer.name), bias: model.bias(layer.name) ?? undefined }]))
    const { correct } = await evaluator.evaluate(same, { excludeCalibration: false, threads: 2 })
    expect(correct.reduce((sum, one) => sum + one, 0)).toBe(8980)
  })

  it('reports progress and stops at the next batch once cancelled', async () => {
    const abort = new AbortController()
    const seen: number[] = []
    const onProgress = (done: number, total: number): void => {
      expect(total).toBe(10_000)
      seen.push(done)
      if (seen.length === 3) abort.abort()
    }
    const run = evaluator.evaluate(new Map(), { excludeCalibration: false, threads: 2, signal: abort.signal, onProgress })
    await expect(run).rejects.toMatchObject({ code: 'CANCELLED' })
    expect(seen).toEqual([250, 500, 750])
  })

  it('says in one sentence what is wrong with a task that does not fit its model', async () => {
    const wrong = async (change: Partial<Task>): Promise<unknown> => {
      const other = await openEvaluator({ ...task, ...change }, folder, model)
      return await other.evaluate(new Map(), { excludeCalibration: false, threads: 1 })
    }
    await expect(wrong({ output: { name: 'classes' } })).rejects.toMatchObject({
      code: 'TASK_INVALID',
      message: 'The model has no output "classes"; its outputs are logits. Correct output.name in the task.',
    })
    await expect(wrong({ input: { ...task.input, name: 'pixels' } })).rejects.toMatchObject({
      message: 'The model has no input "pixels"; its inputs are image. Correct input.name in the task.',
    })
    await expect(wrong({ input: { ...task.input, shape: [1, 28, 27] } })).rejects.toThrow(
      'gives its input the shape [1, 28, 27] (756 values), but a sample of its data holds 784',
    )
    await expect(wrong({ calibration: { from: 'samples', first: 9500, count: 1000 } })).rejects.toThrow('its data holds 10000; choose a smaller range')
  })
})
