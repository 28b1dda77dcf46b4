import { flushPromises } from '@vue/test-utils'
import { afterEach, describe, expect, it } from 'vitest'
import { fakePath, makeFakeClient, type FakeClient } from '../testing/fake-client.ts'
import { mountPage, type MountedPage } from '../testing/mount-page.ts'
import RunPage from './RunPage.vue'

let mounted: MountedPage | undefined
afterEach(() => mounted?.wrapper.unmount())

async function run(): Promise<{ client: FakeClient; page: MountedPage }> {
  const client = makeFakeClient()
  const { id } = await client.runs.start({ project: fakePath, models: ['mlp'], patterns: ['dense', '2:4'], strategies: ['none', 'gyro'] })
  mounted = await mountPage(RunPage, client, { id })
  await flushPromises()
  return { client, page: mounted }
}
const text = (testid: string): string => mounted?.wrapper.find(`[data-testid="${testid}"]`).text() ?? ''
const rows = () => mounted?.wrapper.findAll('[data-testid="case-row"]') ?? []

describe('the run page', () => {
  it('has a row for every case from the start, so that results move nothing', async () => {
    await run()
    expect(rows()).toHaveLength(3)
    expect(rows().map((row) => row.attributes('data-status'))).toEqual(['running', 'planned', 'planned'])
  })

  it('fills in the numbers of a case while the run goes on', async () => {
    const { client } = await run()
    client.finishCase(1)
    await expect.poll(() => text('run-count')).toBe('1 of 3 cases')
    // The fake gives a dense model 90 %.
    expect(rows()[0]?.get('[data-metric="accuracy.top1"]').text()).toBe('90.00')
    expect(rows()[1]?.get('[data-metric="accuracy.top1"]').text()).toBe('·')
  })

  it('gives the reason of a failed case in its row and goes on', async () => {
    const { client } = await run()
    client.finishCase(1, { status: 'failed', reason: 'The engine crashed; the case was given up.', metrics: {}, sparsityAchieved: null })
    await expect.poll(() => rows()[0]?.attributes('data-status')).toBe('failed')
    expect(rows()[0]?.get('[data-testid="case-reason"]').text()).toBe('The engine crashed; the case was given up.')
    expect(rows()[1]?.attributes('data-status')).toBe('running')
  })

  it('says that a number was not measured, never 0', async () => {
    const { client } = await run()
    client.finishCase(1, { metrics: { 'kernel.time': { value: null, unit: 'ms', reason: 'kernels were not timed' } } })
    await expect.poll(() => rows()[0]?.attributes('data-status')).toBe('done')
    const cell = rows()[0]!.get('[data-metric="kernel.time"]')
    expect(cell.text()).toBe('not measured')
    expect(cell.get('[title]').attributes('title')).toBe('kernels were not timed')
  })

  it('opens a case to its layers with the reason of a layer that was left dense', async () => {
    const { client, page } = await run()
    client.finishCase(1)
    await expect.poll(() => rows()[0]?.attributes('data-status')).toBe('done')
    await page.wrapper.get('[data-testid="expand-case"]').trigger('click')
    const layers = page.wrapper.findAll('[data-testid="layer-row"]')
    expect(layers).toHaveLength(3)
    expect(layers[2]?.get('[data-testid="case-reason"]').text()).toBe('K = 6 is below 32.')
  })

  it('goes on after a lost connection and misses nothing', async () => {
    const { client } = await run()
    client.finishCase(1)
    client.dropStreams()
    client.finishCase(1)
    client.finishCase(1)
    await expect.poll(() => text('run-status'), { timeout: 5000 }).toBe('done')
    expect(text('run-count')).toBe('3 of 3 cases')
    expect(mounted?.wrapper.findAll('[data-testid="run-log"] li').map((line) => line.text())).toHaveLength(8)
  })

  it('cancels, and resumes what was not finished', async () => {
    const { client, page } = await run()
    client.finishCase(1)
    await page.wrapper.get('[data-testid="cancel-run"]').trigger('click')
    await expect.poll(() => text('run-status')).toBe('cancelled')
    expect(rows().map((row) => row.attributes('data-status'))).toEqual(['done', 'cancelled', 'cancelled'])
    await page.wrapper.get('[data-testid="resume-run"]').trigger('click')
    await expect.poll(() => text('run-status')).toBe('running')
    client.finishCase(1)
    client.finishCase(1)
    await expect.poll(() => text('run-status')).toBe('done')
  })

  it('says in words that a run does not exist', async () => {
    mounted = await mountPage(RunPage, makeFakeClient(), { id: 99 })
    await flushPromises()
    expect(mounted.wrapper.get('[role="alert"]').text()).toContain('There is no run 99; choose one from the history.')
  })
})
