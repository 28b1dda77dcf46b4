import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LayerInfo } from '../../contract/model.ts'
import type { OpenModel } from '../model/open-model.ts'
import type { Evaluator } from './evaluator.ts'
import { openEvaluator } from './evaluator.ts'
import { inputSaliency } from './input-saliency.ts'
import type { InputSaliencyId } from './input-saliency.ts'
import { loadProject } from './task-file.ts'
import { openTaskModel } from './task-model.ts'

let model: OpenModel
let evaluator: Evaluator
let layer: LayerInfo
let inputs: Float32Array
const options = { threads: 2 }

beforeAll(async () => {
  const { base, project } = await loadProject(join(import.meta.dirname, '../../samples/fashion'))
  const task = { ...project.tasks[0]!, calibration: { from: 'samples' as const, first: 0, count: 50 } }
  model = await openTaskModel(task, base)
  evaluator = await openEvaluator(task, base, model)
  layer = model.info.layers.find(({ name }) => name === 'fc3.weight')!
  const { input } = model.uses(layer.name)[0]!
  await evaluator.calibrator().run([{ changes: new Map(), tensors: [input] }], options, ([activations]) => {
    inputs = activations!.get(input)!.values
  })
})
afterAll(async () => {
  await evaluator.close()
})

const scores = (kind: InputSaliencyId): Promise<Float32Array> => inputSaliency(evaluator.calibrator(), layer, kind, options)
/** Input j of all 50 samples, read from the activations themselves. */
const column = (j: number): number[] => Array.from({ length: 50 }, (_, sample) => inputs[sample * layer.cols + j]!)
const norm = (values: number[]): number => Math.sqrt(values.reduce((sum, value) => sum + value * value, 0))

describe('saliency from calibration inputs', () => {
  it('of Wanda is |w| times the norm of the input', async () => {
    const weights = model.weights(layer.name)
    const found = await scores('wanda')
    for (let i = 0; i < weights.length; i += 17) expect(found[i]).toBeCloseTo(Math.abs(weights[i]!) * norm(column(i % layer.cols)), 3)
  })

  it('by deviation is |w| times the standard deviation of the input', async () => {
    const weights = model.weights(layer.name)
    const found = await scores('std')
    for (let i = 0; i < weights.length; i += 17) {
      const values = column(i % layer.cols)
      const mean = values.reduce((sum, value) => sum + value, 0) / 50
      expect(found[i]).toBeCloseTo((Math.abs(weights[i]!) * norm(values.map((value) => value - mean))) / Math.sqrt(50), 3)
    }
  })

  it('of RIA is the sum of both shares times the root of the norm', async () => {
    const weights = model.weights(layer.name)
    const found = await scores('ria')
    for (let i = 0; i < weights.length; i += 131) {
      const [row, col] = [Math.floor(i / layer.cols), i % layer.cols]
      const rowSum = Array.from({ length: layer.cols }, (_, c) => Math.abs(weights[row * layer.cols + c]!)).reduce((a, b) => a + b)
      const colSum = Array.from({ length: layer.rows }, (_, r) => Math.abs(weights[r * layer.cols + col]!)).reduce((a, b) => a + b)
      expect(found[i]).toBeCloseTo((Math.abs(weights[i]!) / rowSum + Math.abs(weights[i]!) / colSum) * Math.sqrt(norm(column(col))), 4)
    }
  })

  it('of second order ranks a weight on an input that others can stand in for below its square alone', async () => {
    const weights = model.weights(layer.name)
    const found = await scores('second-order')
    expect(found.every((score, i) => score >= 0 && Number.isFinite(score) && (weights[i] === 0 || score > 0))).toBe(true)
    // 1/[H⁻¹]_jj is at most H_jj (with the ridge), and equal only for an input that no other one predicts
    const trace = Array.from({ length: layer.cols }, (_, j) => norm(column(j)) ** 2).reduce((a, b) => a + b)
    for (let i = 0; i < weights.length; i += 17) {
      expect(found[i]!).toBeLessThanOrEqual(weights[i]! ** 2 * (norm(column(i % layer.cols)) ** 2 + (0.01 * trace) / layer.cols) * 1.001)
    }
  })
})
