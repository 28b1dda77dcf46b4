import { describe, expect, it } from 'vitest'
import type { CaseRecord } from '../../../contract/case.ts'
import { fakeResult } from '../testing/fake-client.ts'
import { sparsityPoints } from './sparsity-points.ts'

const record = (part: Partial<CaseRecord> = {}): CaseRecord => {
  const spec = {
    model: 'mlp',
    layer: null,
    pattern: { kind: 'n:m', n: 2, m: 4 },
    strategy: 'gyro',
    saliency: 'magnitude',
    correction: 'none',
    seed: 1,
    budget: null,
  } as const
  return { id: 1, index: 0, spec, result: fakeResult(spec), status: 'done', reason: null, modelHash: null, ...part }
}

describe('points against sparsity', () => {
  it('stand at the achieved sparsity, in per cent', () => {
    const [point] = sparsityPoints([record()], () => 'saliency.retained')
    // The fake keeps 1 − 0.5²·0.6 + 0.05·0.5 = 0.875 of the saliency at 50 %.
    expect(point).toMatchObject({ model: 'mlp', family: '2:4', strategy: 'gyro', sparsity: 50 })
    expect(point?.value).toBeCloseTo(87.5, 9)
  })

  it('leave out a case that measured nothing instead of drawing it at 0', () => {
    const result = { ...record().result!, metrics: { 'accuracy.top1': { value: null, unit: '%' as const, reason: 'no labels' } } }
    expect(sparsityPoints([record({ result })], () => 'accuracy.top1')).toEqual([])
    expect(sparsityPoints([record({ status: 'failed' })], () => 'saliency.retained')).toEqual([])
    expect(sparsityPoints([record({ result: null, status: 'planned' })], () => 'saliency.retained')).toEqual([])
  })
})
