import { defineStore } from 'pinia'
import { ref, watch } from 'vue'
import type { RunStatus } from '../../../contract/run.ts'
import { historyColumns, usualColumns } from '../components/history-columns.ts'

const columnsKey = 'hinm.history.columns'

function storedColumns(): string[] {
  const stored = localStorage.getItem(columnsKey)?.split(',') ?? []
  const known = historyColumns.map((column) => column.id).filter((id) => stored.includes(id))
  return known.length > 0 ? known : [...usualColumns]
}

/** How the history is looked at; the choice of columns outlives the window. */
export const useHistoryViewStore = defineStore('history-view', () => {
  const query = ref('')
  const status = ref<RunStatus | 'all'>('all')
  const columns = ref(storedColumns())
  watch(columns, (chosen) => {
    localStorage.setItem(columnsKey, chosen.join(','))
  })
  return { query, status, columns }
})
