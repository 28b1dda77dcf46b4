import Database from 'better-sqlite3'
import { caseRepository } from './cases.ts'
import { databaseError } from './database-error.ts'
import { environmentRepository } from './environments.ts'
import { eventRepository } from './events.ts'
import { leaseRepository } from './leases.ts'
import { maintenance, type Maintenance } from './maintenance.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { modelRepository } from './models.ts'
import { openDatabase } from './open.ts'
import { projectRepository } from './projects.ts'
import { runRepository } from './runs.ts'
import { sampleRepository } from './samples.ts'
import { writeTransaction } from './write.ts'
import type { AppError } from '../contract/error.ts'

/** The history file: one repository an aggregate, reads at any time, writes only inside `write`. */
export interface History {
  readonly file: string
  /** Why it can only be looked at, in one sentence with its code; null when it can be written. */
  readonly readOnly: AppError | null
  /** Nothing could be read: what is shown in its place is empty, and `readOnly` says why. */
  readonly unopened: boolean
  readonly projects: ReturnType<typeof projectRepository>
  readonly models: ReturnType<typeof modelRepository>
  readonly environments: ReturnType<typeof environmentRepository>
  readonly runs: ReturnType<typeof runRepository>
  readonly cases: ReturnType<typeof caseRepository>
  readonly samples: ReturnType<typeof sampleRepository>
  readonly events: ReturnType<typeof eventRepository>
  readonly leases: ReturnType<typeof leaseRepository>
  readonly maintenance: Maintenance
  /**
   * One immediate transaction; all of it happens or nothing. `work` may run more than once.
   * @throws AppError of `readOnly`, or the faults of writeTransaction.
   */
  write<T>(work: () => T): Promise<T>
  /** Reads with the faults of SQLite put in words. */
  read<T>(work: () => T): T
  close(): void
}

/**
 * Opens or creates the history.
 * @throws AppError where not even reading is possible: see openDatabase.
 */
export function openHistory(file: string): History {
  const { database, readOnly, discard } = openDatabase(file)
  return historyOf(database, file, readOnly, { unopened: false, discard })
}

/** Stands in for a history that cannot be opened, so that the application starts and can say why. */
export function unopenedHistory(file: string, reason: AppError): History {
  const database = new Database(':memory:')
  migrate(database, file, migrations)
  database.pragma('query_only = ON')
  return historyOf(database, file, reason, { unopened: true, discard: () => undefined })
}

function historyOf(
  database: Database.Database,
  file: string,
  readOnly: AppError | null,
  { unopened, discard }: { unopened: boolean; discard: () => void },
): History {
  const write = async <T>(work: () => T): Promise<T> => {
    if (readOnly) throw readOnly
    return await writeTransaction(database, file, work)
  }
  return {
    file,
    readOnly,
    unopened,
    ...repositories(database),
    maintenance: maintenance(database, file, write),
    write,
    read(work) {
      try {
        return work()
      } catch (thrown) {
        throw databaseError(thrown, file)
      }
    },
    close() {
      if (database.open) database.close()
      discard()
    },
  }
}

const repositories = (database: Database.Database) => ({
  projects: projectRepository(database),
  models: modelRepository(database),
  environments: environmentRepository(database),
  runs: runRepository(database),
  cases: caseRepository(database),
  samples: sampleRepository(database),
  events: eventRepository(database),
  leases: leaseRepository(database),
})
