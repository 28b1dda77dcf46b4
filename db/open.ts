import Database from 'better-sqlite3'
import { accessSync, constants, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { AppError } from '../contract/error.ts'
import { assertWholeFile, damagedError, problemsOf } from './check.ts'
import { databaseError } from './database-error.ts'
import { migrate, schemaVersion } from './migrate.ts'
import { migrations as released } from './migrations/index.ts'
import { lockWaitMilliseconds } from './write.ts'

export interface OpenedDatabase {
  database: Database.Database
  readOnly: AppError | null
  /** Removes what the opening left on the disk beside the file itself. */
  discard: () => void
}

/**
 * Opens the history file, creating folder and file where they are missing and upgrading an older schema. A folder
 * that cannot be written, or a file of a newer version, is opened for looking only.
 * @throws AppError FILE_NOT_READABLE, DATABASE_CORRUPT, DATABASE_BUSY, DISK_FULL or DATABASE_READ_ONLY (nothing there
 * and nothing can be made), one sentence each.
 */
export function openDatabase(file: string, migrations: readonly string[] = released): OpenedDatabase {
  makeFolder(file)
  if (!isWritable(file)) return openForLooking(file, migrations)
  try {
    return openForWriting(file, migrations)
  } catch (thrown) {
    throw databaseError(thrown, file)
  }
}

function makeFolder(file: string): void {
  try {
    makeMissing(dirname(file))
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException
    if (code === 'EROFS' || code === 'EACCES' || code === 'EPERM') throw readOnlyError(file, thrown)
    if (code === 'ENOSPC')
      throw new AppError('DISK_FULL', `The folder for the history ${file} cannot be made because the disk is full; free some space.`, { cause: thrown })
    throw new AppError('FILE_NOT_READABLE', `The folder for the history ${file} cannot be made; set HINM_HOME to a folder that can.`, { cause: thrown })
  }
  if (existsSync(file) && !statSync(file).isFile())
    throw new AppError('FILE_NOT_READABLE', `The history ${file} is not a file; move it away or set HINM_HOME to another folder.`)
}

/** Not `recursive: true`, which turns in circles for ever where a system refuses a folder with ENOENT, as in /proc. */
function makeMissing(folder: string): void {
  if (existsSync(folder)) return
  makeMissing(dirname(folder))
  try {
    mkdirSync(folder)
  } catch (thrown) {
    // Another process may have made it in this moment.
    if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown
  }
}

const readOnlyError = (file: string, cause?: unknown): AppError =>
  new AppError(
    'DATABASE_READ_ONLY',
    `The folder of the history ${file} cannot be written, so nothing new can be saved; make it writable or set HINM_HOME to a folder that is.`,
    { cause },
  )

/** WAL needs to write the folder too, not only the file. */
function isWritable(file: string): boolean {
  try {
    accessSync(dirname(file), constants.W_OK)
    if (existsSync(file)) accessSync(file, constants.W_OK)
    return true
  } catch {
    return false
  }
}

function openForWriting(file: string, migrations: readonly string[]): OpenedDatabase {
  // A journal that is left over tells of an end without closing, or of another process that has the file open.
  const unclosed = existsSync(`${file}-wal`)
  if (existsSync(file) && !unclosed) assertWholeFile(file)
  const database = new Database(file, { timeout: 5000 })
  try {
    if (unclosed) assertSound(database, file)
    database.pragma('journal_mode = WAL')
    database.pragma('synchronous = NORMAL')
    database.pragma('foreign_keys = ON')
    const readOnly = newerError(database, file, migrations)
    if (readOnly) database.pragma('query_only = ON')
    else migrate(database, file, migrations)
    database.pragma(`busy_timeout = ${lockWaitMilliseconds}`)
    return { database, readOnly, discard: () => undefined }
  } catch (thrown) {
    database.close()
    throw thrown
  }
}

function assertSound(database: Database.Database, file: string): void {
  const [problem] = problemsOf(database, { quick: true })
  if (problem !== undefined) throw damagedError(file, problem)
}

function newerError(database: Database.Database, file: string, migrations: readonly string[]): AppError | null {
  const version = schemaVersion(database)
  if (version <= migrations.length) return null
  return new AppError(
    'DATABASE_NEWER',
    `The history ${file} was written by a newer version of this application (schema ${version}; this one knows ${migrations.length}), so it is shown but not changed; update the application to go on.`,
  )
}

/** A WAL database cannot be opened in a folder that cannot be written, so a copy in the temporary folder is shown. */
function openForLooking(file: string, migrations: readonly string[]): OpenedDatabase {
  if (!existsSync(file)) throw readOnlyError(file)
  const folder = mkdtempSync(join(tmpdir(), 'hinm-history-'))
  const discard = (): void => {
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const copy = join(folder, basename(file))
    for (const suffix of ['', '-wal']) if (existsSync(file + suffix)) copyFileSync(file + suffix, copy + suffix)
    const database = new Database(copy)
    const version = schemaVersion(database)
    if (version < migrations.length) migrate(database, copy, migrations)
    database.pragma('query_only = ON')
    return { database, readOnly: newerError(database, file, migrations) ?? readOnlyError(file), discard }
  } catch (thrown) {
    discard()
    throw databaseError(thrown, file)
  }
}
