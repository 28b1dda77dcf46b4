import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { RunSpec, type RunRequest } from '../../contract/run.ts'
import { needsCalibration, planCases } from './plan.ts'
import { twoModels } from './testing/fake-engine.ts'

const view = twoModels()
const plan = (request: Partial<RunRequest>): string[] =>
  planCases(v.parse(RunSpec, { project: '/p', models: ['small'], patterns: ['dense'], ...request }), view).map(
    ({ label, refusal }) => `${label.replace('small · ', '')}${refusal === null ? '' : ' refused'}`,
  )

describe('a plan', () => {
  it('has dense once, n:m without sparsities and heights, and HiNM for each of them', () => {
    expect(plan({ patterns: ['dense', '2:4', 'hinm'], sparsities: [75, 87.5], vectors: [32, 64], strategies: ['none', 'gyro'] })).toEqual([
      'dense',
      '2:4 50 % · none',
      '2:4 50 % · gyro',
      ...[32, 64].flatMap((vector) => [75, 87.5].flatMap((sparsity) => ['none', 'gyro'].map((strategy) => `hinm ${sparsity} % V=${vector} · ${strategy}`))),
    ])
  })

  it('searches no order where there is none to search', () => {
    expect(plan({ patterns: ['unstructured', 'row-wise'], sparsities: [75], strategies: ['none', 'gyro'] })).toEqual([
      'unstructured 75 % · none',
      'row-wise 75 % · none',
    ])
  })

  it('repeats no case: seeds only where something is drawn, corrections only where something is pruned', () => {
    const entries = planCases(
      v.parse(RunSpec, {
        project: '/p',
        models: ['small'],
        patterns: ['dense', '2:4', '2:4'],
        strategies: ['none', 'gyro'],
        seeds: [1, 2],
        corrections: ['none', 'bias'],
        saliencies: ['magnitude', 'squared'],
      }),
      view,
    )
    // dense 1; 2:4 none: 2 saliencies × 2 corrections; gyro: × 2 seeds
    expect(entries).toHaveLength(1 + 4 + 8)
  })

  it('gives a budget to searches only', () => {
    const entries = planCases(v.parse(RunSpec, { project: '/p', models: ['small'], patterns: ['2:4'], strategies: ['none', 'gyro'], budget: 100 }), view)
    expect(entries.map(({ spec }) => spec.budget)).toEqual([null, 100])
  })

  it('takes all models when none is named, in the order of the project', () => {
    const entries = planCases(v.parse(RunSpec, { project: '/p', patterns: ['dense'] }), view)
    expect(entries.map(({ spec, modelHash }) => [spec.model, modelHash?.[0]])).toEqual([
      ['small', 'a'],
      ['large', 'b'],
    ])
  })

  it('refuses with the reason a case that reads calibration samples that the task does not set aside', () => {
    const [dense, pruned] = planCases(v.parse(RunSpec, { project: '/p', models: ['large'], patterns: ['dense', '2:4'], corrections: ['bias'] }), view)
    expect(dense!.refusal).toBeNull()
    expect(pruned!.refusal).toBe('The task large sets no calibration samples aside, but bias correction reads them; add "calibration" to the task.')
  })

  it('refuses a model that could not be opened with what was wrong with it', () => {
    const broken = { ...view, models: [{ task: 'small', model: null, reason: 'The file small.onnx is empty.' }] }
    expect(planCases(v.parse(RunSpec, { project: '/p', models: ['small'], patterns: ['dense'] }), broken)[0]!.refusal).toBe('The file small.onnx is empty.')
  })

  it('refuses a pattern that no layer can take, and not one that some layer can', () => {
    // Both layers have 64 input channels.
    expect(plan({ patterns: ['2:4'] })).toEqual(['2:4 50 % · none'])
    expect(plan({ patterns: ['3:7'] })[0]).toMatch(/ refused$/)
  })

  it.each([
    [{ patterns: ['hinm'], sparsities: [40] }, 'prunes at least 50 %'],
    [{ patterns: ['vector'] }, 'needs a sparsity'],
    [{ patterns: ['nonsense'] }, 'is not known'],
    [{ models: ['other'] }, 'it has small, large'],
  ])('does not begin with %o', (request, words) => {
    expect(() => plan(request)).toThrow(words)
  })

  it('knows whether some case reads calibration samples', () => {
    const specs = (corrections: RunRequest['corrections']): boolean =>
      needsCalibration(planCases(v.parse(RunSpec, { project: '/p', models: ['small'], patterns: ['dense', '2:4'], corrections }), view).map(({ spec }) => spec))
    expect(specs(['none'])).toBe(false)
    expect(specs(['none', 'bias'])).toBe(true)
  })
})
