import { flushPromises } from '@vue/test-utils'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RunRequest } from '../../../contract/run.ts'
import { fakePath, makeFakeClient, type FakeClient } from '../testing/fake-client.ts'
import { mountPage, type MountedPage } from '../testing/mount-page.ts'
import ComparePage from './ComparePage.vue'

let mounted: MountedPage | undefined
beforeEach(() => {
  localStorage.clear()
})
afterEach(() => mounted?.wrapper.unmount())

async function run(client: FakeClient, request: Partial<RunRequest>): Promise<number> {
  const { id } = await client.runs.start({ project: fakePath, models: ['mlp'], patterns: ['2:4'], strategies: ['none'], ...request })
  const { cases } = await client.runs.get({ id })
  cases.forEach(() => {
    client.finishCase(id)
  })
  return id
}
async function compare(client: FakeClient, of: string): Promise<MountedPage> {
  mounted = await mountPage(ComparePage, client, { of })
  await flushPromises()
  return mounted
}
const rows = (): string[][] => mounted!.wrapper.findAll('[data-testid="compare-row"]').map((row) => row.findAll('th, td').map((cell) => cell.text()))

describe('the comparison', () => {
  it('asks for more when fewer than two are chosen', async () => {
    const { wrapper } = await compare(makeFakeClient(), '')
    expect(wrapper.get('[data-testid="empty-state"]').text()).toContain('Nothing is chosen to compare')
  })

  it('matches runs case by case and says which run lacks a case', async () => {
    const client = makeFakeClient()
    await run(client, { patterns: ['dense', '2:4'] })
    await run(client, { patterns: ['2:4'], strategies: ['none', 'gyro'] })
    await compare(client, '1,2')
    // Union of the keys: dense, 2:4 none, 2:4 gyro. The fake gives 2:4 90·(1 − 0.5⁴) = 84.38 %, with gyro 5 points more.
    expect(rows()).toEqual([
      ['mlp · dense', '90.00', 'not in this run'],
      ['mlp · 2:4 50 % · none', '84.38', '84.38 ±0.00 pp'],
      ['mlp · 2:4 50 % · gyro', 'not in this run', '89.38'],
    ])
  })

  it('lays cases open and shows the difference to the pinned one', async () => {
    const client = makeFakeClient()
    await run(client, { strategies: ['none', 'gyro'] })
    const { cases } = await client.runs.get({ id: 1 })
    const { wrapper } = await compare(client, cases.map((record) => `1:${record.id}`).join(','))
    const accuracy = (): string[] | undefined => rows().find(([label]) => label?.startsWith('Top-1'))
    expect(accuracy()).toEqual(['Top-1 accuracy %', '84.38', '89.38 +5.00 pp better'])
    await wrapper.get(`[data-testid="pin-1:${cases[1]!.id}"]`).trigger('click')
    expect(accuracy()).toEqual(['Top-1 accuracy %', '84.38 −5.00 pp worse', '89.38'])
  })

  it('leaves out what does not differ when asked to', async () => {
    const client = makeFakeClient()
    await run(client, { strategies: ['none', 'gyro'] })
    const { cases } = await client.runs.get({ id: 1 })
    const { wrapper } = await compare(client, cases.map((record) => `1:${record.id}`).join(','))
    await wrapper.get('[data-testid="only-differences"]').setValue(true)
    // Retained saliency, relative saliency and accuracy differ; samples and times do not.
    expect(rows().map(([label]) => label)).toEqual(['Retained saliency %', 'Relative to unstructured %', 'Top-1 accuracy %'])
  })
})
