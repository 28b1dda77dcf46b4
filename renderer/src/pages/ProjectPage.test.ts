import { flushPromises } from '@vue/test-utils'
import { afterEach, describe, expect, it } from 'vitest'
import { fakePath, makeFakeClient } from '../testing/fake-client.ts'
import { mountPage, type MountedPage } from '../testing/mount-page.ts'
import ProjectPage from './ProjectPage.vue'

let mounted: MountedPage | undefined
afterEach(() => mounted?.wrapper.unmount())

async function project(): Promise<MountedPage> {
  mounted = await mountPage(ProjectPage, makeFakeClient(), { path: fakePath })
  await flushPromises()
  await expect.poll(count).not.toBe('–')
  return mounted
}
const count = (): string | undefined => mounted?.wrapper.get('[data-testid="plan-count"]').text()

describe('the project page', () => {
  it('counts the cases of the defaults: dense once, 2:4 and two HiNM sparsities for two strategies, on two models', async () => {
    await project()
    // 2 models · (1 dense + 3 patterns · 2 strategies) = 14
    expect(count()).toBe('14')
  })

  it('plans again when a setting changes', async () => {
    const { wrapper } = await project()
    await wrapper.get('[data-testid="strategies-gyro"]').setValue(false)
    // 2 models · (1 dense + 3 patterns · 1 strategy) = 8
    await expect.poll(count).toBe('8')
  })

  it('takes a typed sparsity and refuses one out of range in words', async () => {
    const { wrapper } = await project()
    const field = wrapper.get('[data-testid="sparsities-add"]')
    await field.setValue('100')
    await field.trigger('keydown.enter')
    expect(wrapper.get('[data-testid="sparsities"] [role="alert"]').text()).toBe('"100" does not fit: choose a number from 0 to 99.99 %.')
    await field.setValue('93,75')
    await field.trigger('keydown.enter')
    // One more HiNM sparsity for two strategies on two models: 14 + 4.
    await expect.poll(count).toBe('18')
  })

  it('names the reason of a model that cannot be opened and keeps it out of the run', async () => {
    const { wrapper } = await project()
    expect(wrapper.get('[data-testid="model-lost"]').text()).toContain('The file lost.onnx does not exist')
    expect(wrapper.get('[data-testid="use-lost"]').attributes('disabled')).toBeDefined()
  })

  it('starts the run and goes to its page', async () => {
    const { wrapper, router } = await project()
    await wrapper.get('[data-testid="start-run"]').trigger('click')
    await expect.poll(() => router.currentRoute.value.fullPath).toBe('/runs/1')
  })
})
