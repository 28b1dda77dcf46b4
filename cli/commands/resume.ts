import { Command } from 'commander'
import { follow } from '../follow.ts'
import { number } from '../lists.ts'
import { printRun, type PrintOptions } from '../print-run.ts'
import { withApp } from '../with-app.ts'

/** `hinm resume`: goes on with the cases that a run has left, with the settings that it began with. */
export const resumeCommand = (): Command =>
  new Command('resume')
    .description('go on with a run that was stopped or interrupted')
    .argument('<run>', 'its number, see "hinm list"', number)
    .option('--layers', 'a row for every layer too')
    .option('--json', 'print one JSON object instead of the table')
    .action(async (id: number, options: PrintOptions) => {
      process.exitCode = await withApp(async (api) => {
        const { lastSeq } = await api.runs.get({ id })
        await api.runs.resume({ id })
        await follow(api, id, lastSeq)
        return await printRun(api, id, options)
      })
    })
