import type { Database } from 'better-sqlite3'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { AppError } from '../contract/error.ts'

export const schemaVersion = (database: Database): number => database.pragma('user_version', { simple: true }) as number

/**
 * Brings the schema up to `migrations.length`, one exclusive transaction a step: a step that fails leaves the file as
 * the step before it left it. A file that held data is first copied beside itself.
 * @returns the path of the copy, or null when none was needed.
 * @throws AppError DATABASE_CORRUPT when a step leaves dangling references; faults of SQLite as they are.
 */
export function migrate(database: Database, file: string, migrations: readonly string[]): string | null {
  const from = schemaVersion(database)
  if (from >= migrations.length) return null
  const copy = from > 0 ? copyBeside(database, file, from) : null
  for (let version = from; version < migrations.length; version++) step(database, file, version, migrations[version] ?? '')
  return copy
}

function step(database: Database, file: string, from: number, sql: string): void {
  database
    .transaction(() => {
      // Another process may have taken this step while this one waited for the lock.
      if (schemaVersion(database) !== from) return
      database.exec(sql)
      const dangling = database.pragma('foreign_key_check') as { table: string }[]
      if (dangling[0]) {
        throw new AppError(
          'DATABASE_CORRUPT',
          `The history ${file} has rows in "${dangling[0].table}" that refer to missing ones, so it was not upgraded; put a backup in its place.`,
        )
      }
      database.pragma(`user_version = ${from + 1}`)
    })
    .exclusive()
}

/** VACUUM INTO wants a file that does not exist; it is written under a passing name, so that a half copy never counts. */
function copyBeside(database: Database, file: string, version: number): string {
  const copy = `${file}.schema-${version}.backup`
  const passing = `${copy}.part`
  rmSync(passing, { force: true })
  database.prepare('VACUUM INTO ?').run(passing)
  if (existsSync(copy)) rmSync(copy)
  renameSync(passing, copy)
  return copy
}
