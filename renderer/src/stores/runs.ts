import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import type { CaseStatus } from '../../../contract/case.ts'
import type { RunSummary } from '../../../contract/run.ts'
import { useClient } from '../client.ts'

const refreshMilliseconds = 2000

export const totalCases = (run: RunSummary): number => Object.values(run.counts).reduce((sum, value) => sum + value, 0)

/** Cases that will not change any more, whatever became of them. */
export function settledCases(run: RunSummary): number {
  const settled: CaseStatus[] = ['done', 'failed', 'refused', 'cancelled']
  return settled.reduce((sum, status) => sum + (run.counts[status] ?? 0), 0)
}

/** The history as last answered; asked again while a run goes on. */
export const useRunsStore = defineStore('runs', () => {
  const client = useClient()
  const runs = shallowRef<RunSummary[] | null>(null)
  const active = computed(() => runs.value?.filter((run) => run.status === 'running') ?? [])
  let timer: ReturnType<typeof setTimeout> | undefined

  /** Asks for the list; while a run goes on, asks again every two seconds. */
  async function load(): Promise<void> {
    clearTimeout(timer)
    runs.value = await client.runs.list()
    if (active.value.length > 0)
      timer = setTimeout(() => {
        void load().catch(() => undefined)
      }, refreshMilliseconds)
  }

  return { runs, active, load }
})
