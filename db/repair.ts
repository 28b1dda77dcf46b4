import { backupsOf } from './backup.ts'
import { openHistory } from './history.ts'
import { setAside } from './maintenance.ts'
import type { MergeResult } from './merge.ts'

export interface RepairResult {
  /** Where the damaged file is now. */
  aside: string
  /** Runs that were read from the damaged file itself. */
  saved: number
  /** Runs that came, or came back more complete, from backups. */
  fromBackups: number
  /** Runs that could not be read from the damaged file, one sentence each; a backup may have held them. */
  lost: string[]
}

/**
 * Makes a history anew: first every run that can still be read from the damaged file, then what the backups have beyond
 * that. The damaged file is kept beside it. Nobody may have the history open.
 */
export async function repairHistory(file: string, now: Date): Promise<RepairResult> {
  const backups = backupsOf(file)
  const aside = setAside(file, now)
  const history = openHistory(file)
  try {
    const result: RepairResult = { aside, saved: 0, fromBackups: 0, lost: [] }
    const read = await merged(history.maintenance.importFrom(aside, new Set()))
    result.saved = read.added
    result.lost = read.lost
    for (const { path } of backups) {
      const more = await merged(history.maintenance.importFrom(path, new Set()))
      result.fromBackups += more.added + more.replaced
    }
    return result
  } finally {
    history.close()
  }
}

/** A file that cannot be read at all gives nothing and says why. */
const merged = (merge: Promise<MergeResult>): Promise<MergeResult> =>
  merge.catch((thrown: unknown) => ({ added: 0, replaced: 0, known: 0, lost: [thrown instanceof Error ? thrown.message : String(thrown)] }))
