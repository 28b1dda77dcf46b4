import type { Database } from 'better-sqlite3'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const keptBackups = 5
const name = /^history-\d{4}-\d{2}-\d{2}\.db$/

export interface Backup {
  path: string
  bytes: number
  /** Milliseconds since 1970, UTC. */
  at: number
}

const folderOf = (file: string): string => join(dirname(file), 'backups')

/** The backups of a history, the newest first. */
export function backupsOf(file: string): Backup[] {
  const folder = folderOf(file)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((entry) => name.test(entry))
    .sort()
    .reverse()
    .map((entry) => {
      const path = join(folder, entry)
      const { size, mtimeMs } = statSync(path)
      return { path, bytes: size, at: mtimeMs }
    })
}

/**
 * One backup a day (UTC) through SQLite's online backup, which does not hold up writers; the newest five are kept.
 * @returns its path, or null when today's is there already. `force` writes it anew.
 */
export async function dailyBackup(database: Database, file: string, now: Date, { force = false } = {}): Promise<string | null> {
  const path = join(folderOf(file), `history-${now.toISOString().slice(0, 10)}.db`)
  if (!force && existsSync(path)) return null
  mkdirSync(folderOf(file), { recursive: true })
  // Under a passing name, so that a backup that was cut off never counts as one.
  const passing = join(folderOf(file), `${basename(path)}.${process.pid}.part`)
  try {
    await database.backup(passing)
    renameSync(passing, path)
  } finally {
    rmSync(passing, { force: true })
  }
  for (const { path: old } of backupsOf(file).slice(keptBackups)) rmSync(old)
  return path
}
