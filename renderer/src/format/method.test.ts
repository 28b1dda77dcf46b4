import { describe, expect, it } from 'vitest'
import { fakePath, makeFakeClient } from '../testing/fake-client.ts'
import { methodOf } from './method.ts'

describe('the method beside a number', () => {
  it('tells where a time was taken and what the engine noted about it', async () => {
    const client = makeFakeClient()
    const { id } = await client.runs.start({ project: fakePath, models: ['mlp'], patterns: ['2:4'] })
    client.finishCase(id, { notes: ['The machine was busy with other work.'] })
    const run = await client.runs.get({ id })
    expect(methodOf('kernel.time', run.cases[0]!, run.spec, run.environment)).toEqual([
      'N = 64 activation columns, 2 threads.',
      'Processor: Imaginary CPU.',
      'The machine was busy with other work.',
    ])
  })
})
