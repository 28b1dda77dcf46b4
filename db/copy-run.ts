import type { Database } from 'better-sqlite3'

type Row = Record<string, unknown>

/** Tables that belong to a case, with the columns that are copied as they are. */
const caseTables = {
  case_layer: ['position', 'layer', 'rows', 'cols', 'status', 'reason', 'sparsity_achieved'],
  metric_value: ['layer_position', 'metric', 'value', 'negative_zero', 'unit', 'reason'],
  sample_set: ['layer', 'metric', 'count', 'codec', 'data'],
} as const

const runColumns = ['uid', 'name', 'project', 'spec', 'status', 'reason', 'note', 'tags', 'started_at', 'ended_at', 'reserved_seq'] as const
const caseColumns = ['position', 'spec', 'status', 'reason', 'sparsity_achieved', 'seconds', 'notes', 'ended_at'] as const

/**
 * Copies one run with all that hangs on it from one history to another of the same schema, under new ids; call it inside
 * a transaction of the target. A run that was going on in the source comes over as interrupted.
 * @returns its id in the target.
 */
export function copyRun(source: Database, target: Database, runId: number): number {
  const run = row(source, 'SELECT * FROM run WHERE id = ?', runId)
  const goesOn = run.status === 'running'
  const environment = copyEnvironments(source, target)
  const id = insert(target, 'run', {
    ...pick(run, runColumns),
    ...(goesOn ? { status: 'interrupted', reason: 'It was going on when the history was copied; resume goes on with the rest.' } : {}),
    environment_id: environment(run.environment_id),
  })
  const caseIds = new Map<unknown, number>()
  for (const entry of rows(source, 'SELECT * FROM run_case WHERE run_id = ? ORDER BY position', runId)) {
    copyModel(source, target, entry.model_hash)
    const interrupted = entry.status === 'running' ? { status: 'planned', reason: null } : {}
    const caseId = insert(target, 'run_case', {
      ...pick(entry, caseColumns),
      ...interrupted,
      run_id: id,
      model_hash: entry.model_hash,
      environment_id: environment(entry.environment_id),
    })
    caseIds.set(entry.id, caseId)
    for (const [table, columns] of Object.entries(caseTables)) {
      for (const part of rows(source, `SELECT * FROM ${table} WHERE case_id = ?`, entry.id)) insert(target, table, { ...pick(part, columns), case_id: caseId })
    }
  }
  for (const event of rows(source, 'SELECT * FROM run_event WHERE run_id = ? ORDER BY seq', runId)) {
    insert(target, 'run_event', { run_id: id, seq: event.seq, at: event.at, body: renamedCase(event.body, caseIds) })
  }
  return id
}

/** Events name their case by its id, which is another one in the target. */
function renamedCase(body: unknown, caseIds: ReadonlyMap<unknown, number>): string {
  const event = JSON.parse(String(body)) as { caseId?: number }
  return JSON.stringify(event.caseId === undefined ? event : { ...event, caseId: caseIds.get(event.caseId) })
}

function copyEnvironments(source: Database, target: Database): (id: unknown) => number | null {
  return (id) => {
    if (id === null) return null
    const { digest, body } = row(source, 'SELECT digest, body FROM environment WHERE id = ?', id)
    target.prepare('INSERT INTO environment (digest, body) VALUES (?, ?) ON CONFLICT (digest) DO NOTHING').run(digest, body)
    return target.prepare('SELECT id FROM environment WHERE digest = ?').pluck().get(digest) as number
  }
}

function copyModel(source: Database, target: Database, hash: unknown): void {
  if (hash === null) return
  const { name, format, bytes, layers } = row(source, 'SELECT * FROM model WHERE hash = ?', hash)
  target
    .prepare('INSERT INTO model (hash, name, format, bytes, layers) VALUES (?, ?, ?, ?, ?) ON CONFLICT (hash) DO NOTHING')
    .run(hash, name, format, bytes, layers)
}

const rows = (database: Database, sql: string, value: unknown): Row[] => database.prepare(sql).all(value) as Row[]

function row(database: Database, sql: string, value: unknown): Row {
  const found = database.prepare(sql).get(value) as Row | undefined
  if (!found) throw new Error(`the row ${String(value)} is missing`)
  return found
}

const pick = (from: Row, columns: readonly string[]): Row => Object.fromEntries(columns.map((column) => [column, from[column]]))

function insert(database: Database, table: string, values: Row): number {
  const names = Object.keys(values)
  const statement = database.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`)
  return Number(statement.run(...Object.values(values)).lastInsertRowid)
}
