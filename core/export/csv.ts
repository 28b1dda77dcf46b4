import { metricIds, metricInfo } from '../../contract/metric.ts'
import type { Report, ReportCase } from '../../contract/report.ts'

type Cell = string | number | null

interface Column {
  heading: string
  cell: (row: ReportCase) => Cell
}

const settings: readonly Column[] = [
  { heading: 'model', cell: ({ model }) => model },
  { heading: 'layer', cell: ({ layer }) => layer },
  { heading: 'pattern', cell: ({ pattern }) => pattern },
  { heading: 'sparsity asked [%]', cell: ({ sparsityAsked }) => sparsityAsked },
  { heading: 'sparsity achieved [%]', cell: ({ sparsityAchieved }) => sparsityAchieved },
  { heading: 'vector', cell: ({ vector }) => vector },
  { heading: 'strategy', cell: ({ strategy }) => strategy },
  { heading: 'saliency', cell: ({ saliency }) => saliency },
  { heading: 'correction', cell: ({ correction }) => correction },
  { heading: 'seed', cell: ({ seed }) => seed },
  { heading: 'status', cell: ({ status }) => status },
  { heading: 'reason', cell: ({ reason }) => reason },
]

/**
 * A report as CSV (RFC 4180): numbers in full with a decimal point whatever the language of the system, one column for
 * every metric that some row has. A metric that was not measured is an empty cell, never 0.
 */
export function csvOf({ cases }: Report, separator: ',' | ';' | '\t'): string {
  const measured = metricIds.filter((id) => cases.some((row) => row.metrics[id] !== undefined))
  const metricColumns = measured.map((id): Column => ({ heading: `${id} [${metricInfo(id).unit}]`, cell: (row) => row.metrics[id]?.value ?? null }))
  const notes: Column = { heading: 'notes', cell: (row) => row.notes.join(' ') }
  const columns = [...settings, ...metricColumns, notes]
  const lines = [columns.map(({ heading }) => heading), ...cases.map((row) => columns.map(({ cell }) => cell(row)))]
  return `${lines.map((cells) => cells.map((cell) => written(cell, separator)).join(separator)).join('\r\n')}\r\n`
}

function written(cell: Cell, separator: string): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return Object.is(cell, -0) ? '-0' : String(cell)
  const guarded = guard(cell)
  return guarded.includes(separator) || /["\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
}

/** A text that a spreadsheet would take for a formula gets an apostrophe in front; numbers never pass through here. */
const guard = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)
