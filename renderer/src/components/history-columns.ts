import type { RunSummary } from '../../../contract/run.ts'
import { count } from '../format/number.ts'
import { shortPath } from '../format/place.ts'
import { duration, moment } from '../format/time.ts'
import { settledCases, totalCases } from '../stores/runs.ts'

/** What the history can show of a run. */
export interface HistoryColumn {
  id: string
  head: string
  width: number
  numeric: boolean
  sortValue(run: RunSummary): string | number | undefined
  text(run: RunSummary): string
}

const seconds = (run: RunSummary): number | undefined => (run.endedAt === null ? undefined : (run.endedAt - run.startedAt) / 1000)
const countOf = (run: RunSummary, status: 'failed' | 'refused'): number => run.counts[status] ?? 0

export const historyColumns: readonly HistoryColumn[] = [
  { id: 'id', head: '#', width: 68, numeric: false, sortValue: (run) => run.id, text: (run) => String(run.id) },
  { id: 'name', head: 'Run', width: 320, numeric: false, sortValue: (run) => run.name, text: (run) => run.name },
  { id: 'tags', head: 'Tags', width: 120, numeric: false, sortValue: (run) => run.tags.join(' ') || undefined, text: (run) => run.tags.join(', ') },
  { id: 'note', head: 'Note', width: 200, numeric: false, sortValue: (run) => run.note || undefined, text: (run) => run.note },
  { id: 'project', head: 'Project', width: 120, numeric: false, sortValue: (run) => shortPath(run.project), text: (run) => shortPath(run.project) },
  { id: 'status', head: 'Status', width: 112, numeric: false, sortValue: (run) => run.status, text: (run) => run.status },
  { id: 'cases', head: 'Cases', width: 80, numeric: true, sortValue: totalCases, text: (run) => `${count(settledCases(run))} / ${count(totalCases(run))}` },
  { id: 'failed', head: 'Failed', width: 64, numeric: true, sortValue: (run) => countOf(run, 'failed'), text: (run) => count(countOf(run, 'failed')) },
  { id: 'refused', head: 'Refused', width: 68, numeric: true, sortValue: (run) => countOf(run, 'refused'), text: (run) => count(countOf(run, 'refused')) },
  { id: 'started', head: 'Started', width: 150, numeric: true, sortValue: (run) => run.startedAt, text: (run) => moment(run.startedAt) },
  {
    id: 'took',
    head: 'Took',
    width: 84,
    numeric: true,
    sortValue: seconds,
    text: (run) => {
      const took = seconds(run)
      return took === undefined ? '' : duration(took)
    },
  },
]

/** Shown until a person chooses otherwise. */
export const usualColumns: readonly string[] = historyColumns.map((column) => column.id).filter((id) => id !== 'note' && id !== 'tags')

const hays = new WeakMap<RunSummary, string>()

/** What a row is found by, made once a row: a keystroke in a history of thousands must not wait for it. */
function hayOf(run: RunSummary): string {
  const known = hays.get(run)
  if (known !== undefined) return known
  const hay = `${run.id} ${run.name} ${run.project} ${run.status} ${run.reason ?? ''} ${run.note} ${run.tags.join(' ')}`.toLowerCase()
  hays.set(run, hay)
  return hay
}

export const wordsOf = (query: string): string[] =>
  query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')

/** Every word must be found somewhere in what the row says. */
export const matches = (run: RunSummary, words: readonly string[]): boolean => words.every((word) => hayOf(run).includes(word))
