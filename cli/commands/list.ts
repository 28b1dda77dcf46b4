import { Command } from 'commander'
import { caseStatuses } from '../../contract/case.ts'
import type { RunSummary } from '../../contract/run.ts'
import { toJson } from '../../core/export/json.ts'
import { textTable } from '../text-table.ts'
import { withApp } from '../with-app.ts'

const countsText = ({ counts }: RunSummary): string =>
  caseStatuses
    .filter((status) => (counts[status] ?? 0) > 0)
    .map((status) => `${counts[status] ?? 0} ${status}`)
    .join(', ')

/** `hinm list`: the runs of the history, the newest first. */
export const listCommand = (): Command =>
  new Command('list')
    .description('list the runs in the history, the newest first')
    .option('--json', 'print JSON instead of the table')
    .action(async ({ json }: { json?: boolean }) => {
      const runs = await withApp((api) => api.runs.list())
      if (json) {
        process.stdout.write(`${toJson({ schema: 'hinm-runs/1', runs })}\n`)
        return
      }
      const table = textTable<RunSummary>(
        [
          { heading: 'Run', align: 'right', text: ({ id }) => String(id) },
          { heading: 'Started', align: 'left', text: ({ startedAt }) => new Date(startedAt).toISOString().slice(0, 16).replace('T', ' ') },
          { heading: 'Status', align: 'left', text: ({ status }) => status },
          { heading: 'Cases', align: 'left', text: countsText },
          { heading: 'Name', align: 'left', text: ({ name }) => name },
        ],
        runs,
      )
      process.stdout.write(runs.length === 0 ? 'The history is empty; "hinm run <project>" begins one.\n' : `${table}\n\nTimes are UTC.\n`)
    })
