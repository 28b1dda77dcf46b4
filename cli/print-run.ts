import type { RunStatus } from '../contract/run.ts'
import { toJson } from '../core/export/json.ts'
import { reportOf } from '../core/export/report.ts'
import { caseTable } from './case-table.ts'
import { exitCodes, type ExitCode } from './exit.ts'
import type { Api } from './with-app.ts'

export interface PrintOptions {
  json?: boolean
  layers?: boolean
}

/** Prints a run on stdout: the table, or the same data as one JSON object. */
export async function printRun(api: Api, id: number, { json = false, layers = false }: PrintOptions): Promise<ExitCode> {
  const run = await api.runs.get({ id })
  const report = reportOf(run)
  process.stdout.write(json ? `${toJson(report)}\n` : `Run ${id}, ${run.name} (${run.status})\n\n${caseTable(report.cases, { layers })}\n`)
  return exitOf(run.status, run.counts.failed ?? 0)
}

const exitOf = (status: RunStatus, failed: number): ExitCode =>
  (status === 'done' || status === 'running') && failed === 0 ? exitCodes.done : exitCodes.failed
