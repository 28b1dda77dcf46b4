import type { ExportedText, ExportFormat } from '../../contract/history.ts'
import type { RunDetail } from '../../contract/run.ts'
import { csvOf } from './csv.ts'
import { toJson } from './json.ts'
import { markdownOf } from './markdown.ts'
import { reportOf } from './report.ts'

const endings: Record<ExportFormat, string> = { csv: 'csv', json: 'json', markdown: 'md' }

/** A run as text in the format asked for. */
export function exportRun(run: RunDetail, format: ExportFormat, separator: ',' | ';' | '\t' = ','): ExportedText {
  const report = reportOf(run)
  const name = `hinm-run-${run.id}.${endings[format]}`
  switch (format) {
    case 'csv':
      return { name, text: csvOf(report, separator) }
    case 'json':
      return { name, text: `${toJson(report)}\n` }
    case 'markdown':
      return { name, text: markdownOf(run.name, report) }
  }
}
