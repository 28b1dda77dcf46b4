import type { Database } from 'better-sqlite3'
import * as v from 'valibot'
import { caseStatuses, type CaseStatus } from '../contract/case.ts'
import { RunSpec, type RunStatus, type RunSummary } from '../contract/run.ts'
import { readJson } from './json.ts'

export interface NewRun {
  uid: string
  name: string
  project: string
  spec: RunSpec
  environmentId: number
  startedAt: number
}

interface SummaryRow {
  id: number
  name: string
  project: string
  status: RunStatus
  reason: string | null
  note: string
  tags: string
  startedAt: number
  endedAt: number | null
}

export interface RunRow extends RunSummary {
  spec: RunSpec
  environmentId: number
}

const columns = 'id, name, project, status, reason, note, tags, started_at AS startedAt, ended_at AS endedAt'

/** Runs: what was asked for, and what became of it. */
export function runRepository(database: Database) {
  const insert = database.prepare<[string, string, string, string, number, number]>(
    `INSERT INTO run (uid, name, project, spec, status, environment_id, started_at) VALUES (?, ?, ?, ?, 'running', ?, ?)`,
  )
  const selectAll = database.prepare<[], SummaryRow>(`SELECT ${columns} FROM run ORDER BY started_at DESC, id DESC`)
  const selectOne = database.prepare<[number], SummaryRow & { spec: string; environmentId: number }>(
    `SELECT ${columns}, spec, environment_id AS environmentId FROM run WHERE id = ?`,
  )
  const countAll = database.prepare<[], { runId: number; status: CaseStatus; count: number }>(
    'SELECT run_id AS runId, status, count(*) AS count FROM run_case GROUP BY run_id, status',
  )
  const countOne = database.prepare<[number], { status: CaseStatus; count: number }>(
    'SELECT status, count(*) AS count FROM run_case WHERE run_id = ? GROUP BY status',
  )
  const setStatus = database.prepare<[RunStatus, string | null, number | null, number]>('UPDATE run SET status = ?, reason = ?, ended_at = ? WHERE id = ?')
  const idsByStatus = database.prepare<[RunStatus], number>('SELECT id FROM run WHERE status = ? ORDER BY id').pluck()
  const lastSequence = database.prepare<[number], number>('SELECT reserved_seq FROM run WHERE id = ?').pluck()
  const reserveSequence = database.prepare<[number, number]>('UPDATE run SET reserved_seq = max(reserved_seq, ?) WHERE id = ?')

  const rename = database.prepare<[string, number]>('UPDATE run SET name = ? WHERE id = ?')
  const annotate = database.prepare<[string, string, number]>('UPDATE run SET note = ?, tags = ? WHERE id = ?')
  const remove = database.prepare<[number]>('DELETE FROM run WHERE id = ?')

  const summary = (row: SummaryRow, counts: { status: CaseStatus; count: number }[]): RunSummary => ({
    id: row.id,
    name: row.name,
    project: row.project,
    status: row.status,
    reason: row.reason,
    note: row.note,
    tags: readJson(v.array(v.string()), row.tags, 'list of tags'),
    startedAt: row.startedAt,
    endedAt: row.endedAt,
    counts: { ...noCounts(), ...Object.fromEntries(counts.map(({ status, count }) => [status, count])) },
  })

  return {
    create: (run: NewRun): number =>
      Number(insert.run(run.uid, run.name, run.project, JSON.stringify(run.spec), run.environmentId, run.startedAt).lastInsertRowid),
    list(): RunSummary[] {
      const counts = Map.groupBy(countAll.all(), ({ runId }) => runId)
      return selectAll.all().map((row) => summary(row, counts.get(row.id) ?? []))
    },
    get(id: number): RunRow | null {
      const row = selectOne.get(id)
      return row ? { ...summary(row, countOne.all(id)), spec: readJson(RunSpec, row.spec, 'settings'), environmentId: row.environmentId } : null
    },
    setStatus(id: number, status: RunStatus, reason: string | null, endedAt: number | null): void {
      setStatus.run(status, reason, endedAt, id)
    },
    rename(id: number, name: string): void {
      rename.run(name, id)
    },
    annotate(id: number, note: string, tags: readonly string[]): void {
      annotate.run(note, JSON.stringify(tags), id)
    },
    /** With its cases, samples and events. */
    remove(id: number): void {
      remove.run(id)
    },
    withStatus: (status: RunStatus): number[] => idsByStatus.all(status),
    /** The last event number that may have been given. */
    lastSequence: (id: number): number => lastSequence.get(id) ?? 0,
    /**
     * Sets the event numbers up to `upTo` aside. A process that ends without using them leaves a gap, never a number
     * that is given twice.
     */
    reserveSequence(id: number, upTo: number): void {
      reserveSequence.run(upTo, id)
    },
  }
}

const noCounts = (): Record<CaseStatus, number> => Object.fromEntries(caseStatuses.map((status) => [status, 0])) as Record<CaseStatus, number>
