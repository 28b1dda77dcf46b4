import Database from 'better-sqlite3'
import { databaseError } from './database-error.ts'

/** SQLite itself waits this long for a lock, with the event loop blocked: short, because the app's windows wait too. */
export const lockWaitMilliseconds = 100
const giveUpAfterMilliseconds = 15_000

const isBusy = (thrown: unknown): boolean =>
  thrown instanceof Database.SqliteError && (thrown.code.startsWith('SQLITE_BUSY') || thrown.code.startsWith('SQLITE_LOCKED'))

/**
 * Runs `work` in one immediate transaction; waits its turn when another process writes. The work runs again from the
 * start after a lost race, so it must only touch the database.
 * @throws AppError DATABASE_BUSY when no turn came in 15 s, and the other faults of databaseError.
 */
export async function writeTransaction<T>(database: Database.Database, file: string, work: () => T): Promise<T> {
  const transaction = database.transaction(work)
  const end = performance.now() + giveUpAfterMilliseconds
  for (;;) {
    try {
      return transaction.immediate()
    } catch (thrown) {
      if (!isBusy(thrown) || performance.now() > end) throw databaseError(thrown, file)
    }
    // A random pause keeps two waiting processes from meeting again at once.
    await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 45))
  }
}
