import { Command } from 'commander'
import { number } from '../lists.ts'
import { printRun, type PrintOptions } from '../print-run.ts'
import { withApp } from '../with-app.ts'

/** `hinm show`: a run of the history as it would have been printed at its end. */
export const showCommand = (): Command =>
  new Command('show')
    .description('show a run of the history')
    .argument('<run>', 'its number, see "hinm list"', number)
    .option('--layers', 'a row for every layer too')
    .option('--json', 'print one JSON object instead of the table')
    .action(async (id: number, options: PrintOptions) => {
      process.exitCode = await withApp((api) => printRun(api, id, options))
    })
