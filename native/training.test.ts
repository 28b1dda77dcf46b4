import { describe, expect, it } from 'vitest'
import {
  createTraining,
  effectiveWeight,
  evaluateTraining,
  history,
  layerMask,
  methodDefaults,
  parameters,
  parameterValues,
  restoreCheckpoint,
  runTraining,
  saveCheckpoint,
  setLayerMask,
  setParameterValues,
  type TrainingRequest,
} from './training.ts'

const request = (changes: Partial<TrainingRequest> = {}): TrainingRequest => ({
  lab: { kind: 'teacher-student', inputs: 16, teacherHidden: 32, outputs: 4, hidden: [32], batch: 32, heldOutSamples: 64 },
  method: { ...methodDefaults, kind: 's-ste' },
  optimizer: { beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: 0, clip: 0, peakRate: 3e-3, finalShare: 0.05, warmUp: 10 },
  seed: 3,
  steps: 100,
  diagnoseEvery: 10,
  diagnoseHeldOut: false,
  firstDataStep: 0,
  threads: 1,
  backend: 'tiled',
  reference: false,
  ...changes,
})

const fixed = { ...methodDefaults, kind: 'fixed-mask' } as const

describe('a training run of the native module', () => {
  it('continues from a checkpoint bit for bit', async () => {
    const whole = createTraining(request())
    const first = createTraining(request())
    const second = createTraining(request())
    await runTraining(whole, 100)
    await runTraining(first, 37)
    restoreCheckpoint(second, saveCheckpoint(first))
    await runTraining(second, 100)
    expect(saveCheckpoint(second)).toEqual(saveCheckpoint(whole))
    expect(await evaluateTraining(second)).toEqual(await evaluateTraining(whole))
  })

  it('sends its curves in pieces that make up the whole history', async () => {
    const session = createTraining(request())
    const losses: number[] = []
    await runTraining(session, 100, undefined, (news) => losses.push(...news.losses))
    expect(losses).toEqual(Array.from(history(session).losses))
    expect(losses).toHaveLength(100)
  })

  it('names its parameters and gives their values and masks', async () => {
    const session = createTraining(request())
    await runTraining(session, 5)
    await evaluateTraining(session)
    expect(parameters(session)).toEqual([
      { name: 'layer0.weight', rows: 32, cols: 16, prunable: 0 },
      { name: 'layer0.bias', rows: 1, cols: 32, prunable: null },
      { name: 'layer1.weight', rows: 4, cols: 32, prunable: 1 },
      { name: 'layer1.bias', rows: 1, cols: 4, prunable: null },
    ])
    expect(parameterValues(session, 0)).toHaveLength(512)
    const mask = layerMask(session, 0)
    const effective = effectiveWeight(session, 0)
    for (let group = 0; group < mask.length; group += 4) {
      expect(mask.subarray(group, group + 4).reduce((sum, bit) => sum + bit, 0)).toBe(2)
      expect(effective.subarray(group, group + 4).filter((value) => value !== 0).length).toBeLessThanOrEqual(2)
    }
  })

  it('takes weights and any bit mask from outside', async () => {
    const dense = createTraining(request({ method: methodDefaults }))
    await runTraining(dense, 20)
    const pruned = createTraining(request({ method: fixed }))
    parameters(dense).forEach((_, index) => {
      setParameterValues(pruned, index, parameterValues(dense, index))
    })
    const mask = Uint8Array.from({ length: 512 }, (_, i) => (i % 5 === 0 ? 1 : 0))
    setLayerMask(pruned, 0, mask)
    await runTraining(pruned, 30)
    expect(layerMask(pruned, 0)).toEqual(mask)
    expect(parameterValues(pruned, 0).filter((value) => value !== 0).length).toBeLessThanOrEqual(mask.filter((bit) => bit === 1).length)
    expect(() => {
      setParameterValues(pruned, 0, new Float32Array(512))
    }).toThrow('before the first step only')
  })

  it('refuses work on a run that is at work', async () => {
    // Wide enough that one step takes milliseconds, so that the call below falls into it.
    const lab = { kind: 'teacher-student', inputs: 16, teacherHidden: 2048, outputs: 4, hidden: [2048], batch: 4096, heldOutSamples: 64 } as const
    const session = createTraining(request({ lab: { ...lab, hidden: [...lab.hidden] } }))
    const running = runTraining(session, 3)
    expect(() => saveCheckpoint(session)).toThrow('This training run is at work; wait for it or cancel it first.')
    await running
  })

  it('obeys a cancel and keeps what was trained', async () => {
    const session = createTraining(request({ steps: 10_000_000 }))
    const abort = new AbortController()
    const running = runTraining(session, 10_000_000, { signal: abort.signal }, (news) => {
      if (news.step > 0) abort.abort()
    })
    await expect(running).rejects.toMatchObject({ code: 'CANCELLED' })
    expect(history(session).step).toBe(history(session).losses.length)
  })

  it('stops a diverging loss with one sentence and leaves the history readable', async () => {
    const session = createTraining(request({ method: methodDefaults, optimizer: { ...request().optimizer, peakRate: 1e30 } }))
    await expect(runTraining(session, 100)).rejects.toMatchObject({
      code: 'NOT_FINITE',
      message: expect.stringMatching(/^The loss became .* at step \d+ /) as string,
    })
    expect(history(session).losses.length).toBeGreaterThan(0)
  })

  it('refuses checkpoints of another run and damaged ones, changing nothing', () => {
    const session = createTraining(request())
    const before = saveCheckpoint(session)
    expect(() => {
      restoreCheckpoint(session, saveCheckpoint(createTraining(request({ seed: 4 }))))
    }).toThrow('The checkpoint belongs to another run')
    const damaged = before.slice()
    damaged[40] = (damaged[40] ?? 0) ^ 1
    expect(() => {
      restoreCheckpoint(session, damaged)
    }).toThrow('The checkpoint cannot be read')
    expect(saveCheckpoint(session)).toEqual(before)
  })

  it('follows the float64 reference', async () => {
    const losses = async (reference: boolean) => {
      const session = createTraining(request({ reference, method: methodDefaults }))
      await runTraining(session, 20)
      return Array.from(history(session).losses)
    }
    const [single, twice] = [await losses(false), await losses(true)]
    // Twenty Adam steps spread float32 rounding (6e-8) by a few powers of ten at most.
    single.forEach((loss, i) => {
      expect(Math.abs(loss - (twice[i] ?? NaN))).toBeLessThan(1e-3 * loss)
    })
  })
})
