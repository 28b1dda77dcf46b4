import type { Database } from 'better-sqlite3'
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { AppError } from '../contract/error.ts'

const shownProblems = 5

/** The sentence for a file that cannot be trusted, whatever showed it. */
export const damagedError = (file: string, how: string, cause?: unknown): AppError =>
  new AppError(
    'DATABASE_CORRUPT',
    `The history ${file} is damaged (${how}); "hinm history repair" saves what can be read and takes the rest from the newest backup.`,
    { cause },
  )

/**
 * Whether the file is shorter than its own header says, as after a copy that was cut off. Reads 100 bytes.
 * @throws AppError DATABASE_CORRUPT.
 */
export function assertWholeFile(file: string): void {
  const size = statSync(file).size
  if (size === 0) return
  const header = Buffer.alloc(100)
  const descriptor = openSync(file, 'r')
  try {
    if (readSync(descriptor, header, 0, 100, 0) < 100) throw damagedError(file, `it holds ${size} bytes, fewer than its header`)
  } finally {
    closeSync(descriptor)
  }
  if (header.toString('latin1', 0, 15) !== 'SQLite format 3') throw damagedError(file, 'it does not begin like a database')
  // File format, section 1.3: page size at 16 (1 stands for 65536), size in pages at 28, valid only when 24 equals 92.
  const pageSize = header.readUInt16BE(16) === 1 ? 65536 : header.readUInt16BE(16)
  const pages = header.readUInt32BE(28)
  if (header.readUInt32BE(24) === header.readUInt32BE(92) && pages * pageSize > size) {
    throw damagedError(file, `it holds ${size} of ${pages * pageSize} bytes`)
  }
}

/** What SQLite finds wrong, at most five findings; empty when all is well. `quick` leaves the indexes out. */
export function problemsOf(database: Database, { quick }: { quick: boolean }): string[] {
  const rows = database.pragma(`${quick ? 'quick_check' : 'integrity_check'}(${shownProblems})`) as Record<string, string>[]
  const found = rows.flatMap((row) => Object.values(row)).filter((text) => text !== 'ok')
  if (quick || found.length > 0) return found
  const dangling = database.pragma('foreign_key_check') as { table: string; rowid: number }[]
  return dangling.slice(0, shownProblems).map(({ table, rowid }) => `row ${rowid} of ${table} refers to a missing one`)
}
