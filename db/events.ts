import type { Database } from 'better-sqlite3'

/** A stored event: the finished case is named, not repeated. */
export interface EventRow {
  seq: number
  at: number
  body: string
}

/** The lasting part of each run's event log. Progress is not in it. */
export function eventRepository(database: Database) {
  const insert = database.prepare<[number, number, number, string]>('INSERT INTO run_event (run_id, seq, at, body) VALUES (?, ?, ?, ?)')
  const after = database.prepare<[number, number], EventRow>('SELECT seq, at, body FROM run_event WHERE run_id = ? AND seq > ? ORDER BY seq')
  return {
    add(runId: number, seq: number, at: number, body: object): void {
      insert.run(runId, seq, at, JSON.stringify(body))
    },
    after: (runId: number, seq: number): EventRow[] => after.all(runId, seq),
  }
}
