import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { ProjectView } from '../../../contract/api.ts'
import { useClient, type Client } from '../client.ts'

export type RecentProject = Awaited<ReturnType<Client['projects']['recent']>>[number]

/** Projects as last answered, by the path they were opened with. */
export const useProjectsStore = defineStore('projects', () => {
  const client = useClient()
  const recent = ref<RecentProject[] | null>(null)
  const views = shallowRef(new Map<string, ProjectView>())

  async function loadRecent(): Promise<RecentProject[]> {
    recent.value = await client.projects.recent()
    return recent.value
  }

  /** Opens a project and keeps the answer under its own path and the path it was asked for with. */
  async function open(path: string): Promise<ProjectView> {
    const view = await client.projects.open({ path })
    views.value = new Map(views.value).set(path, view).set(view.path, view)
    return view
  }

  async function openSample(): Promise<ProjectView> {
    const { path } = await client.projects.sample()
    return await open(path)
  }

  /** Takes a project off the list; its files stay. */
  async function forget(path: string): Promise<void> {
    await client.projects.forget({ path })
    await loadRecent()
  }

  return { recent, views, loadRecent, forget, open, openSample }
})
