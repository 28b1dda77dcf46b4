import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LayerChange, OpenModel } from '../model/open-model.ts'
import { openModel } from '../model/open-model.ts'
import { correctBias } from './bias-correction.ts'
import type { Evaluator } from './evaluator.ts'
import { openEvaluator } from './evaluator.ts'
import { loadProject } from './task-file.ts'

let model: OpenModel
let evaluator: Evaluator
const options = { threads: 2 }
const names = ['/fc1/Gemm_output_0', '/fc2/Gemm_output_0', 'logits']

beforeAll(async () => {
  const { base, project } = await loadProject(join(import.meta.dirname, '../../samples/fashion'))
  const task = project.tasks[0]!
  model = await openModel(join(base, task.model))
  evaluator = await openEvaluator(task, base, model)
})
afterAll(async () => {
  await evaluator.close()
})

async function meanOutputs(changes: ReadonlyMap<string, LayerChange>): Promise<Map<string, number[]>> {
  const sums = new Map<string, number[]>()
  await evaluator.calibrator().run([{ changes, tensors: names }], options, ([activations]) => {
    for (const [name, { values, dims }] of activations!) {
      const width = dims.at(-1)!
      const sum = sums.get(name) ?? Array<number>(width).fill(0)
      values.forEach((value, i) => (sum[i % width]! += value / 1000))
      sums.set(name, sum)
    }
  })
  return sums
}

const everyOther = (weights: Float32Array): Float32Array => weights.map((weight, i) => (i % 2 === 0 ? 0 : weight))

describe('bias correction', () => {
  it('gives every layer of the pruned network the mean outputs of the dense one', async () => {
    const changes = new Map<string, LayerChange>(model.info.layers.map(({ name }) => [name, { weights: everyOther(model.weights(name)) }]))
    const dense = await meanOutputs(new Map())
    const before = await meanOutputs(changes)
    const after = await meanOutputs(await correctBias(evaluator.calibrator(), changes, options))
    for (const name of names) {
      const wanted = dense.get(name)!
      const worst = (found: number[]): number => Math.max(...found.map((value, i) => Math.abs(value - wanted[i]!)))
      expect(worst(before.get(name)!)).toBeGreaterThan(0.1)
      // float32 outputs of size 10, averaged: errors of single values near 1e-6 do not add up
      expect(worst(after.get(name)!)).toBeLessThan(1e-4)
    }
  })

  it('leaves layers alone that are not pruned, and weights as they are given', async () => {
    const weights = everyOther(model.weights('fc2.weight'))
    const corrected = await correctBias(evaluator.calibrator(), new Map([['fc2.weight', { weights }]]), options)
    expect([...corrected.keys()]).toEqual(['fc2.weight'])
    expect(corrected.get('fc2.weight')?.weights).toBe(weights)
    expect(corrected.get('fc2.weight')?.bias).toHaveLength(256)
  })
})
