import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Backup, HistoryStatus, MergeReport, RepairReport } from '../../contract/history.ts'
import { AppError } from '../../contract/error.ts'
import type { History } from '../../db/history.ts'
import { repairHistory } from '../../db/repair.ts'
import type { Experiments } from '../experiment/experiments.ts'

/** The history file as a whole: what a person may do to it from any face. */
export interface HistoryCare {
  status(): HistoryStatus
  check(): string[]
  backUp(): Promise<Backup>
  repair(): Promise<RepairReport>
  exportTo(path: string): void
  importFrom(path: string): Promise<MergeReport>
}

export interface CareOptions {
  history: () => History
  experiments: () => Experiments
  /** Opens the history again after its file was made anew. */
  reopen: () => void
}

export function historyCare({ history, experiments, reopen }: CareOptions): HistoryCare {
  const isDamaged = (): boolean => history().readOnly?.code === 'DATABASE_CORRUPT'
  return {
    status() {
      const { file, readOnly, maintenance, runs } = history()
      return {
        file,
        bytes: existsSync(file) ? statSync(file).size : null,
        runs: runs.list().length,
        readOnly: readOnly?.message ?? null,
        damaged: isDamaged(),
        backups: maintenance.backups(),
      }
    },
    check: () => (isDamaged() ? [history().readOnly?.message ?? ''] : history().maintenance.problems()),
    async backUp() {
      const { maintenance, readOnly } = history()
      if (readOnly) throw readOnly
      await maintenance.backUp(new Date(), { force: true })
      const [newest] = maintenance.backups()
      if (!newest) throw new AppError('INTERNAL', 'The backup was written but is not there; check the folder of the history.')
      return newest
    },
    async repair() {
      if (!isDamaged() && history().maintenance.problems().length === 0) {
        throw new AppError('INVALID_ARGUMENT', `The history ${history().file} is whole, so there is nothing to repair.`)
      }
      await experiments().close()
      const { file } = history()
      history().close()
      try {
        return await repairHistory(file, new Date())
      } finally {
        reopen()
      }
    },
    exportTo(path) {
      history().maintenance.exportTo(resolve(path))
    },
    importFrom: async (path) => history().maintenance.importFrom(resolve(path), await experiments().running()),
  }
}
