import { flushPromises } from '@vue/test-utils'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fakePath, makeFakeClient } from '../testing/fake-client.ts'
import { mountPage, type MountedPage } from '../testing/mount-page.ts'
import HistoryPage from './HistoryPage.vue'

let mounted: MountedPage | undefined
beforeEach(() => {
  localStorage.clear()
})
afterEach(() => mounted?.wrapper.unmount())

async function history(runs: number): Promise<MountedPage> {
  const client = makeFakeClient()
  for (let index = 0; index < runs; index++) await client.runs.start({ project: fakePath, patterns: ['dense'] })
  if (runs > 1) await client.runs.cancel({ id: 2 })
  if (runs > 0) await client.runs.annotate({ id: 1, note: 'first try with gyro', tags: ['baseline'] })
  mounted = await mountPage(HistoryPage, client)
  await flushPromises()
  return mounted
}
const count = (): string => mounted!.wrapper.get('[data-testid="history-count"]').text()

describe('the history page', () => {
  it('says what to do while nothing was run', async () => {
    const { wrapper } = await history(0)
    expect(wrapper.get('[data-testid="empty-state"]').text()).toContain('Open a project')
  })

  it('finds a run by words of its note and its tags', async () => {
    const { wrapper } = await history(3)
    expect(count()).toBe('3 runs')
    await wrapper.get('[data-testid="history-search"]').setValue('gyro baseline')
    expect(count()).toBe('1 of 3 runs')
    await wrapper.get('[data-testid="history-search"]').setValue('no such word')
    expect(count()).toBe('0 of 3 runs')
    expect(wrapper.get('[data-testid="empty-state"]').text()).toContain('No run matches')
  })

  it('filters by status', async () => {
    const { wrapper } = await history(3)
    await wrapper.get('[data-testid="history-status"]').setValue('cancelled')
    expect(count()).toBe('1 of 3 runs')
  })
})
