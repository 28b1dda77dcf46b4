import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CaseSpec } from '../../contract/case.ts'
import { EngineClient } from './engine-client.ts'
import type { CaseRequest, Progress, RunSettings } from './protocol.ts'
import { spawnNode } from './spawn-node.ts'

const sample = join(import.meta.dirname, '..', '..', 'samples', 'fashion')
const settings: RunSettings = { timing: false, accuracy: false, columns: 16, threads: 2, excludeCalibration: false }
const hinm: CaseSpec['pattern'] = { kind: 'hinm', vector: 32, vectorSparsity: 0.5, n: 2, m: 4 }

const request = (spec: Partial<CaseSpec>, changes: Partial<RunSettings> = {}): CaseRequest => ({
  kind: 'run-case',
  project: sample,
  spec: { model: 'fashion-mlp', layer: null, pattern: hinm, strategy: 'none', saliency: 'magnitude', correction: 'none', seed: 1, budget: null, ...spec },
  settings: { ...settings, ...changes },
  modelHash: null,
})

let engine: EngineClient
beforeAll(() => {
  engine = new EngineClient(spawnNode())
})
afterAll(() => {
  engine.close()
})

describe('the engine on the sample project', () => {
  it('looks into the project and both of its models', async () => {
    const view = await engine.ask({ kind: 'inspect', project: sample })
    expect(view.models.map(({ task, model }) => [task, model?.layers.filter(({ eligible }) => eligible).length])).toEqual([
      ['fashion-mlp', 3],
      ['fashion-cnn', expect.any(Number)],
    ])
  })

  it('prunes, packs and checks every layer of the perceptron', async () => {
    const result = await engine.ask(request({}))
    expect(result.status).toBe('done')
    expect(result.layers.map(({ rows, cols, status }) => [rows, cols, status])).toEqual([
      [512, 784, 'done'],
      [256, 512, 'done'],
      [10, 256, 'done'],
    ])
    // Half of the columns, 2 of every 4 of them: a quarter is left, as 784, 512 and 256 divide by 8.
    expect(result.sparsityAchieved).toBeCloseTo(75, 10)
    expect(result.metrics['mask.kept']!.value).toBe((512 * 784 + 256 * 512 + 10 * 256) / 4)
    expect(result.metrics['kernel.error']!.value).toBeLessThan(1e-5)
    expect(result.metrics['kernel.time']).toEqual({ value: null, unit: 'ms', reason: 'timing was switched off for this run' })
  })

  it('keeps more saliency with gyro in every layer, and searches an order once only', async () => {
    const none = await engine.ask(request({}))
    const phases = new Set<string>()
    const onProgress = ({ phase }: Progress): void => void phases.add(phase)
    const gyro = await engine.ask(request({ strategy: 'gyro' }), { onProgress })
    const again = await engine.ask(request({ strategy: 'gyro' }), { onProgress })
    for (const [index, layer] of gyro.layers.entries()) {
      expect(layer.metrics['saliency.retained']!.value).toBeGreaterThanOrEqual(none.layers[index]!.metrics['saliency.retained']!.value!)
    }
    expect(gyro.metrics['saliency.retained']!.value).toBeGreaterThan(none.metrics['saliency.retained']!.value!)
    expect(again.metrics['saliency.retained']).toEqual(gyro.metrics['saliency.retained'])
    expect(again.metrics['search.time']).toEqual(gyro.metrics['search.time'])
    expect([...phases].some((phase) => phase.startsWith('search '))).toBe(true)
  })

  it('leaves a layer that cannot take the pattern dense and says why', async () => {
    // 784 = 16 · 49, but 512 and 256 are no multiples of 49.
    const result = await engine.ask(request({ pattern: { kind: 'n:m', n: 1, m: 49 } }))
    expect(result.layers.map(({ status }) => status)).toEqual(['done', 'refused', 'refused'])
    expect(result.layers[1]!.reason).toContain('multiple of 49')
    expect(result.layers[1]!.sparsityAchieved).toBe(0)
    expect(result.notes[0]).toContain('1 pruned layer')
  })

  it('times pruned and dense products in one run and keeps the samples', async () => {
    const result = await engine.ask(request({}, { timing: true }))
    const { metrics, samples } = result
    expect(metrics['kernel.time']!.value).toBeGreaterThan(0)
    expect(metrics['kernel.speedup']!.value).toBeCloseTo(metrics['kernel.dense_time']!.value! / metrics['kernel.time']!.value!, 12)
    expect(samples.filter(({ metric }) => metric === 'kernel.time')).toHaveLength(3)
  })

  it('fails one case with the reason and goes on', async () => {
    await expect(engine.ask(request({ model: 'fashion-gpt' }))).rejects.toMatchObject({
      code: 'PROJECT_INVALID',
      message: expect.stringContaining('fashion-gpt') as string,
    })
    await expect(engine.ask({ ...request({}), modelHash: '0'.repeat(64) })).rejects.toMatchObject({ code: 'MODEL_CORRUPT' })
    await expect(engine.ask(request({ layer: 'no such layer' }))).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
    expect((await engine.ask(request({}))).status).toBe('done')
  })

  it('stops soon after a cancel', async () => {
    const abort = new AbortController()
    const asked = engine.ask(request({ model: 'fashion-cnn', strategy: 'gyro', seed: 99 }), {
      signal: abort.signal,
      onProgress: () => {
        abort.abort()
      },
    })
    await expect(asked).rejects.toMatchObject({ code: 'CANCELLED' })
  })

  it('tells what it runs on, and gives a reason for what it does not know', async () => {
    const facts = await engine.ask({ kind: 'environment' })
    expect(facts['native.build']!.value).toBe('Release')
    for (const { value, reason } of Object.values(facts)) expect(value !== null || reason).toBeTruthy()
  })

  it('shows a model that is not one beside the others', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hinm-engine-'))
    try {
      writeFileSync(join(folder, 'broken.onnx'), 'version https://git-lfs.github.com/spec/v1\n')
      const task = {
        name: 'broken',
        model: 'broken.onnx',
        data: { format: 'idx', inputs: 'a', labels: 'b' },
        input: { name: 'x', type: 'float32', shape: [1] },
        output: { name: 'y' },
        metric: 'top-1',
      }
      writeFileSync(join(folder, 'project.json'), JSON.stringify({ schema: 'hinm-project/1', name: 'broken', tasks: [task] }))
      const view = await engine.ask({ kind: 'inspect', project: folder })
      expect(view.models).toEqual([{ task: 'broken', model: null, reason: expect.stringContaining('Git LFS pointer') as string }])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
