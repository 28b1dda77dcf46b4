import { defineStore } from 'pinia'
import { reactive, ref, shallowRef } from 'vue'
import type { PlannedCase, ProjectView } from '../../../contract/api.ts'
import { failureOf } from '../../../contract/error.ts'
import { useClient } from '../client.ts'
import { draftOf, requestOf, type Draft } from './draft.ts'

/** The drafts of runs, one a project, and what the application says to the draft on screen. */
export const useBuilderStore = defineStore('builder', () => {
  const client = useClient()
  const drafts = reactive(new Map<string, Draft>())
  const plan = shallowRef<PlannedCase[] | null>(null)
  const failure = ref<string | null>(null)
  const planning = ref(false)
  let asking = new AbortController()

  function draftFor(view: ProjectView): Draft {
    if (!drafts.has(view.path)) drafts.set(view.path, draftOf(view))
    return drafts.get(view.path)!
  }

  function reset(view: ProjectView): void {
    drafts.set(view.path, draftOf(view))
  }

  /** Asks what the draft comes to. A later question overtakes an earlier one. */
  async function ask(path: string, draft: Draft): Promise<void> {
    asking.abort()
    asking = new AbortController()
    const { signal } = asking
    planning.value = true
    try {
      const answer = await client.runs.plan(requestOf(path, draft), { signal })
      if (signal.aborted) return
      plan.value = answer
      failure.value = null
    } catch (thrown) {
      if (signal.aborted) return
      plan.value = null
      failure.value = failureOf(thrown).message
    }
    planning.value = false
  }

  async function start(path: string, draft: Draft): Promise<number> {
    const { id } = await client.runs.start(requestOf(path, draft))
    return id
  }

  return { plan, failure, planning, draftFor, reset, ask, start }
})
