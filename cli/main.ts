import '../core/app/require-node.ts'
import { Command, CommanderError } from 'commander'
import { appVersion } from '../core/app/version.ts'
import { benchCommand } from './commands/bench.ts'
import { exportCommand } from './commands/export.ts'
import { historyCommand } from './commands/history.ts'
import { listCommand } from './commands/list.ts'
import { metricsCommand } from './commands/metrics.ts'
import { resumeCommand } from './commands/resume.ts'
import { runCommand } from './commands/run.ts'
import { showCommand } from './commands/show.ts'
import { trainCommand } from './commands/train.ts'
import { exitCodes, explain } from './exit.ts'

const program = new Command('hinm')
  .description('Does sparsity pay on my layer, on my machine, at what loss, and would I bet on the number?')
  .version(appVersion())
  .addHelpText(
    'after',
    `\nExit codes: ${exitCodes.done} everything asked for was done, ${exitCodes.failed} a case failed or the run was stopped, ${exitCodes.refused} the request was not valid.`,
  )
  .exitOverride()
  .configureOutput({ writeErr: (text) => process.stderr.write(text.replace(/^error: /, 'hinm: ')) })

for (const command of [runCommand, benchCommand, listCommand, showCommand, resumeCommand, exportCommand, historyCommand, metricsCommand, trainCommand])
  program.addCommand(command())
inherit(program)

try {
  await program.parseAsync()
} catch (thrown) {
  // Commander has printed its own sentence already.
  if (thrown instanceof CommanderError) process.exitCode = thrown.exitCode === 0 ? exitCodes.done : exitCodes.refused
  else process.exitCode = explain(thrown)
}

/** Commands that were made apart do not have the settings of the program that they are added to. */
function inherit(parent: Command): void {
  for (const command of parent.commands) {
    command.copyInheritedSettings(parent)
    inherit(command)
  }
}
