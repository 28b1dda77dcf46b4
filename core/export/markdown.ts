import { metricIds } from '../../contract/metric.ts'
import type { Report, ReportCase } from '../../contract/report.ts'
import { metricHeading, metricText } from './metric-text.ts'

/** A report as Markdown: the whole-model rows as a table, then what has to be known beside it. */
export function markdownOf(title: string, { cases, environment }: Report): string {
  const whole = cases.filter(({ layer }) => layer === null)
  const rows = whole.length > 0 ? whole : cases
  const measured = metricIds.filter((id) => rows.some((row) => row.metrics[id]?.value != null))
  const heads = [
    'Model',
    'Layer',
    'Pattern',
    'Asked, %',
    'Achieved, %',
    'V',
    'Strategy',
    'Saliency',
    'Correction',
    'Seed',
    ...measured.map(metricHeading),
    'Status',
  ]
  const cells = (row: ReportCase): string[] => [
    row.model,
    row.layer ?? '',
    row.pattern,
    String(row.sparsityAsked),
    row.sparsityAchieved === null ? '' : String(Number(row.sparsityAchieved.toFixed(2))),
    row.vector === null ? '' : String(row.vector),
    row.strategy,
    row.saliency,
    row.correction,
    String(row.seed),
    ...measured.map((id) => metricText(id, row.metrics[id])),
    row.status,
  ]
  const line = (texts: readonly string[]): string => `| ${texts.map(escaped).join(' | ')} |`
  const remarks = [
    ...new Set(rows.flatMap((row) => [...(row.reason === null ? [] : [`${row.model} ${row.pattern} ${row.status}: ${row.reason}`]), ...row.notes])),
  ]
  const facts = Object.entries(environment.facts).map(
    ([name, fact]) => `${name}: ${fact.value === null ? `not known (${fact.reason ?? 'no reason given'})` : String(fact.value)}`,
  )
  return [
    `# ${escaped(title)}`,
    '',
    line(heads),
    line(heads.map(() => '---')),
    ...rows.map((row) => line(cells(row))),
    ...section('Notes', remarks),
    ...section('Environment', [`application ${environment.app} on ${environment.platform}`, ...facts]),
    '',
  ].join('\n')
}

const section = (title: string, items: readonly string[]): string[] =>
  items.length === 0 ? [] : ['', `## ${title}`, '', ...items.map((item) => `- ${escaped(item)}`)]

/** Names come from files of strangers: what Markdown or HTML would act on is taken literally, on one line. */
const escaped = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Bidi_Control}]/gu, (mark) => (/\s/.test(mark) ? ' ' : `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/[\\`*_[\]|#]/g, (mark) => `\\${mark}`)
