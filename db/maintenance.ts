import Database from 'better-sqlite3'
import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { AppError } from '../contract/error.ts'
import { backupsOf, dailyBackup, type Backup } from './backup.ts'
import { problemsOf } from './check.ts'
import { databaseError } from './database-error.ts'
import { mergeRuns, type MergeResult } from './merge.ts'
import { migrate, schemaVersion } from './migrate.ts'
import { migrations } from './migrations/index.ts'

/** Care for the history file as a whole. */
export interface Maintenance {
  backups(): Backup[]
  /** Today's backup, made now unless it is there; null when it was. `force` makes it anew. */
  backUp(now: Date, options?: { force?: boolean }): Promise<string | null>
  /** What SQLite finds wrong in the whole file; empty when all is well. */
  problems(): string[]
  /** Writes the whole history into a file of its own, which must not be there yet. */
  exportTo(path: string): void
  /** Takes over the runs of another history; see mergeRuns. */
  importFrom(path: string, busy: ReadonlySet<number>): Promise<MergeResult>
}

export const maintenance = (database: Database.Database, file: string, write: <T>(work: () => T) => Promise<T>): Maintenance => ({
  backups: () => backupsOf(file),
  async backUp(now, options) {
    try {
      return await dailyBackup(database, file, now, options)
    } catch (thrown) {
      throw databaseError(thrown, file)
    }
  },
  problems: () => problemsOf(database, { quick: false }),
  exportTo(path) {
    if (existsSync(path)) throw new AppError('INVALID_ARGUMENT', `The file ${path} is there already; choose a name that is not taken.`)
    try {
      database.prepare('VACUUM INTO ?').run(path)
    } catch (thrown) {
      rmSync(path, { force: true })
      throw databaseError(thrown, path)
    }
  },
  importFrom: (path, busy) => withCopy(path, (source) => mergeRuns(source, database, write, busy)),
})

/**
 * Opens a passing copy of another history, brought up to our schema, so that the file itself is never changed.
 * @throws AppError FILE_NOT_FOUND, DATABASE_CORRUPT (not a history at all), DATABASE_NEWER.
 */
async function withCopy<T>(path: string, work: (source: Database.Database) => Promise<T>): Promise<T> {
  if (!existsSync(path)) throw new AppError('FILE_NOT_FOUND', `There is no file ${path}; give the file of another history.`)
  const folder = mkdtempSync(join(tmpdir(), 'hinm-import-'))
  try {
    const copy = join(folder, basename(path))
    for (const suffix of ['', '-wal']) if (existsSync(path + suffix)) copyFileSync(path + suffix, copy + suffix)
    const source = new Database(copy)
    try {
      assertHistory(source, path)
      migrate(source, copy, migrations)
      return await work(source)
    } finally {
      source.close()
    }
  } catch (thrown) {
    throw databaseError(thrown, path)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function assertHistory(source: Database.Database, path: string): void {
  const version = schemaVersion(source)
  if (version > migrations.length)
    throw new AppError('DATABASE_NEWER', `The history ${path} was written by a newer version of this application; update the application first.`)
  const tables = source.prepare(`SELECT count(*) FROM sqlite_schema WHERE name IN ('run', 'run_case', 'metric_value')`).pluck().get()
  if (version < 1 || tables !== 3)
    throw new AppError('DATA_INVALID', `The file ${path} is not a history of this application; give a history.db or one of its backups.`)
}

/** Moves a damaged file and its journal out of the way. @returns where it is now. */
export function setAside(file: string, now: Date): string {
  const stamp = now.toISOString().replaceAll(':', '').slice(0, 17)
  const aside = `${file}.damaged-${stamp}`
  for (const suffix of ['', '-wal', '-shm']) if (existsSync(file + suffix)) renameSync(file + suffix, aside + suffix)
  return aside
}
