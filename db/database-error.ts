import Database from 'better-sqlite3'
import { AppError } from '../contract/error.ts'
import { damagedError } from './check.ts'

/**
 * A fault of SQLite in words. Anything that is not one, such as a broken constraint (a fault of ours), passes through
 * unchanged.
 */
export function databaseError(thrown: unknown, file: string): unknown {
  if (!(thrown instanceof Database.SqliteError)) return thrown
  const { code } = thrown
  const options = { cause: thrown }
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return new AppError(
      'DATABASE_BUSY',
      `The history ${file} is being written by another program and did not become free; close that program or try again.`,
      options,
    )
  }
  if (code.startsWith('SQLITE_READONLY')) {
    return new AppError(
      'DATABASE_READ_ONLY',
      `The history ${file} cannot be written; make the file and its folder writable, or set HINM_HOME to a folder that is.`,
      options,
    )
  }
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB') {
    return damagedError(file, thrown.message, thrown)
  }
  if (code === 'SQLITE_FULL' || code === 'SQLITE_IOERR_WRITE' || code === 'SQLITE_IOERR_SHMSIZE') {
    return new AppError('DISK_FULL', `The disk that holds the history ${file} is full; free some space, then resume the run.`, options)
  }
  if (code.startsWith('SQLITE_CANTOPEN')) {
    return new AppError('FILE_NOT_READABLE', `The history ${file} cannot be opened; check that the folder exists and that you may read and write it.`, options)
  }
  if (code.startsWith('SQLITE_IOERR')) {
    return new AppError('FILE_NOT_READABLE', `The disk reported a fault while the history ${file} was in use (${thrown.message}); check the disk.`, options)
  }
  return thrown
}
