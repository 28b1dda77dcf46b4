import type { Database } from 'better-sqlite3'

/** Which process runs a run. `owner` is drawn anew by every process; the rest tells whether that process still lives. */
export interface Lease {
  runId: number
  owner: string
  machine: string
  pid: number
  processStart: string | null
  beatAt: number
}

/** At most one lease a run. Judging whether an owner is alive is not the database's business. */
export function leaseRepository(database: Database) {
  const insert = database.prepare<[number, string, string, number, string | null, number]>(
    'INSERT INTO run_lease (run_id, owner, machine, pid, process_start, beat_at) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const all = database.prepare<[], Lease>(
    'SELECT run_id AS runId, owner, machine, pid, process_start AS processStart, beat_at AS beatAt FROM run_lease ORDER BY run_id',
  )
  const one = database.prepare<[number], Lease>(
    'SELECT run_id AS runId, owner, machine, pid, process_start AS processStart, beat_at AS beatAt FROM run_lease WHERE run_id = ?',
  )
  const beat = database.prepare<[number, string]>('UPDATE run_lease SET beat_at = ? WHERE owner = ?')
  const askCancel = database.prepare<[number]>('UPDATE run_lease SET cancel_asked = 1 WHERE run_id = ?')
  const asked = database.prepare<[string], number>('SELECT run_id FROM run_lease WHERE owner = ? AND cancel_asked = 1').pluck()
  const remove = database.prepare<[number]>('DELETE FROM run_lease WHERE run_id = ?')
  return {
    take(lease: Lease): void {
      insert.run(lease.runId, lease.owner, lease.machine, lease.pid, lease.processStart, lease.beatAt)
    },
    all: (): Lease[] => all.all(),
    of: (runId: number): Lease | null => one.get(runId) ?? null,
    beat(owner: string, at: number): void {
      beat.run(at, owner)
    },
    /** Leaves word for the owner, who looks at every sign of life. */
    askCancel(runId: number): void {
      askCancel.run(runId)
    },
    cancelAsked: (owner: string): number[] => asked.all(owner),
    drop(runId: number): void {
      remove.run(runId)
    },
  }
}
