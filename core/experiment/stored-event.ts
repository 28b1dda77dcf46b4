import type { RunEvent, RunEventBody } from '../../contract/run.ts'
import type { EventRow } from '../../db/events.ts'
import type { History } from '../../db/history.ts'

/** An event as the history keeps it: progress is not kept, and a finished case is named by its id. */
export type LastingBody = Exclude<RunEventBody, { type: 'case-progress' } | { type: 'case-finished' }> | { type: 'case-finished'; caseId: number }

/** The event with its case filled in from the history. */
export function expandEvent(history: History, runId: number, row: { seq: number; at: number }, body: LastingBody): RunEvent {
  const place = { seq: row.seq, runId, at: row.at }
  if (body.type !== 'case-finished') return { ...place, ...body }
  const found = history.cases.get(body.caseId)
  if (!found) throw new Error(`event ${row.seq} of run ${runId} names case ${body.caseId}, which is not in the history`)
  return { ...place, type: 'case-finished', case: found }
}

/** Rows are written by LastingBody's own hand, so their shape is known. */
export const expandRow = (history: History, runId: number, row: EventRow): RunEvent => expandEvent(history, runId, row, JSON.parse(row.body) as LastingBody)
