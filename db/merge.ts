import type { Database } from 'better-sqlite3'
import { copyRun } from './copy-run.ts'

/** What became of the runs of the other history. */
export interface MergeResult {
  added: number
  /** Known runs that had got further there. */
  replaced: number
  /** Known runs that had not. */
  known: number
  /** Runs that could not be read, one sentence each. */
  lost: string[]
}

interface RunState {
  id: number
  uid: string
  name: string
  ended: number
}

const statesOf = (database: Database): RunState[] =>
  database
    .prepare(
      `SELECT id, uid, name, (SELECT count(*) FROM run_case WHERE run_id = run.id AND status IN ('done', 'failed', 'refused')) AS ended FROM run ORDER BY started_at, id`,
    )
    .all() as RunState[]

/**
 * Takes over every run of `source` that `target` does not have, and those that got further there; a run is the same run
 * by the identity that it was born with. One transaction a run, so that a run that cannot be read costs no other.
 * @param busy runs of the target that are going on and stay as they are.
 */
export async function mergeRuns(source: Database, target: Database, write: <T>(work: () => T) => Promise<T>, busy: ReadonlySet<number>): Promise<MergeResult> {
  const result: MergeResult = { added: 0, replaced: 0, known: 0, lost: [] }
  for (const run of statesOf(source)) {
    try {
      result[await write(() => takeOver(source, target, run, busy))]++
    } catch (thrown) {
      result.lost.push(`Run ${run.id} (${run.name}) could not be read: ${thrown instanceof Error ? thrown.message : String(thrown)}.`)
    }
  }
  return result
}

function takeOver(source: Database, target: Database, run: RunState, busy: ReadonlySet<number>): 'added' | 'replaced' | 'known' {
  const known = statesOf(target).find(({ uid }) => uid === run.uid)
  if (!known) {
    copyRun(source, target, run.id)
    return 'added'
  }
  if (known.ended >= run.ended || busy.has(known.id)) return 'known'
  target.prepare('DELETE FROM run WHERE id = ?').run(known.id)
  copyRun(source, target, run.id)
  return 'replaced'
}
