import type { MetricId } from '../contract/metric.ts'
import type { ReportCase } from '../contract/report.ts'
import { metricHeading, metricText } from '../core/export/metric-text.ts'
import { printable, textTable, type Column } from './text-table.ts'

const shownMetrics: readonly MetricId[] = [
  'saliency.retained',
  'saliency.relative',
  'accuracy.top1',
  'kernel.time',
  'kernel.dense_time',
  'kernel.speedup',
  'size.packed',
  'search.time',
]

const percent = (value: number | null): string => (value === null ? '' : String(Math.round(value * 100) / 100))

/** A column only where its values differ, because it says nothing otherwise. */
const whereDifferent = (rows: readonly ReportCase[], heading: string, text: (row: ReportCase) => string): Column<ReportCase>[] =>
  new Set(rows.map(text)).size > 1 ? [{ heading, align: 'left', text }] : []

/** The cases as a table, and below it why some are not done and what has to be known beside the figures. */
export function caseTable(all: readonly ReportCase[], options: { layers: boolean }): string {
  const rows = options.layers ? all : wholeModelRows(all)
  const metricColumns = metricsOf(rows).map((id): Column<ReportCase> => ({
    heading: metricHeading(id),
    align: 'right',
    text: (row) => metricText(id, row.metrics[id]),
  }))
  const columns: Column<ReportCase>[] = [
    { heading: 'Model', align: 'left', text: (row) => row.model },
    { heading: 'Layer', align: 'left', text: (row) => row.layer ?? '' },
    { heading: 'Pattern', align: 'left', text: (row) => row.pattern },
    { heading: 'Asked %', align: 'right', text: (row) => percent(row.sparsityAsked) },
    { heading: 'Achieved %', align: 'right', text: (row) => percent(row.sparsityAchieved) },
    { heading: 'V', align: 'right', text: (row) => (row.vector === null ? '' : String(row.vector)) },
    { heading: 'Strategy', align: 'left', text: (row) => row.strategy },
    ...whereDifferent(rows, 'Saliency', (row) => row.saliency),
    ...whereDifferent(rows, 'Correction', (row) => row.correction),
    ...whereDifferent(rows, 'Seed', (row) => String(row.seed)),
    ...metricColumns,
    { heading: 'Status', align: 'left', text: (row) => row.status },
  ]
  return [textTable(columns, rows), ...remarks(rows)].join('\n')
}

/** A whole-model case and the layers below it differ in `layer`; a case of one layer stands for itself. */
const wholeModelRows = (rows: readonly ReportCase[]): ReportCase[] => {
  const whole = rows.filter(({ layer }) => layer === null)
  return whole.length > 0 ? whole : [...rows]
}

const metricsOf = (rows: readonly ReportCase[]): MetricId[] => shownMetrics.filter((id) => rows.some((row) => row.metrics[id]?.value != null))

function remarks(rows: readonly ReportCase[]): string[] {
  const reasons = rows.flatMap((row) =>
    row.reason === null ? [] : [`${row.model}${row.layer === null ? '' : ` ${row.layer}`} ${row.pattern} ${row.status}: ${row.reason}`],
  )
  const notes = rows.flatMap((row) => row.notes)
  const texts = [...new Set([...reasons, ...notes])].map(printable)
  return texts.length === 0 ? [] : ['', ...texts]
}
