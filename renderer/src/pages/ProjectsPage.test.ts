import { flushPromises } from '@vue/test-utils'
import { afterEach, describe, expect, it } from 'vitest'
import { fakePath, makeFakeClient } from '../testing/fake-client.ts'
import { mountPage, type MountedPage } from '../testing/mount-page.ts'
import ProjectsPage from './ProjectsPage.vue'

let mounted: MountedPage | undefined
afterEach(() => mounted?.wrapper.unmount())

describe('the projects page', () => {
  it('opens the sample project when nothing was opened before', async () => {
    mounted = await mountPage(ProjectsPage, makeFakeClient())
    await flushPromises()
    await expect.poll(() => mounted?.router.currentRoute.value.fullPath).toBe(`/project?path=${fakePath}`)
  })

  it('lists recent projects and opens nothing by itself', async () => {
    mounted = await mountPage(ProjectsPage, makeFakeClient({ recent: [{ path: fakePath, name: 'Fake project', openedAt: 0 }] }))
    await flushPromises()
    expect(mounted.wrapper.get('[data-testid="recent-projects"]').text()).toContain('Fake project')
    expect(mounted.router.currentRoute.value.name).toBe('devices')
  })

  it('shows the sentence of a path that cannot be opened', async () => {
    mounted = await mountPage(ProjectsPage, makeFakeClient({ recent: [{ path: fakePath, name: 'Fake project', openedAt: 0 }] }))
    await mounted.wrapper.get('[data-testid="project-path"]').setValue('/nowhere')
    await mounted.wrapper.get('form').trigger('submit')
    await flushPromises()
    expect(mounted.wrapper.get('[role="alert"]').text()).toBe('There is no project at /nowhere; check the path.')
  })
})
