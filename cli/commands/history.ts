import { Command } from 'commander'
import type { MergeReport, RepairReport } from '../../contract/history.ts'
import { exitCodes } from '../exit.ts'
import { withApp } from '../with-app.ts'

const say = (text: string): void => void process.stdout.write(`${text}\n`)
const runs = (count: number): string => `${count} ${count === 1 ? 'run' : 'runs'}`
const sayLost = (lost: readonly string[]): void => {
  for (const sentence of lost) process.stderr.write(`hinm: ${sentence}\n`)
  if (lost.length > 0) process.exitCode = exitCodes.failed
}

/** `hinm history`: care for the history file as a whole. */
export const historyCommand = (): Command =>
  new Command('history')
    .description('look after the history file as a whole')
    .addCommand(new Command('status').description('where it is, how large, and its backups').action(status))
    .addCommand(new Command('check').description('read all of it and list what is wrong').action(check))
    .addCommand(new Command('backup').description("make today's backup anew").action(backUp))
    .addCommand(new Command('repair').description('make a damaged history anew from its readable runs and the backups').action(repair))
    .addCommand(new Command('export').description('write all of it into a file').argument('<file>').action(exportAll))
    .addCommand(new Command('import').description('take over the runs of another history that are not here').argument('<file>').action(importAll))

async function status(): Promise<void> {
  const found = await withApp((api) => api.history.status(), { unopened: true })
  say(`${found.file}: ${runs(found.runs)}, ${found.bytes ?? 0} bytes`)
  if (found.readOnly !== null) say(found.readOnly)
  for (const { path, bytes } of found.backups) say(`backup ${path}, ${bytes} bytes`)
}

async function check(): Promise<void> {
  const { problems } = await withApp((api) => api.history.check(), { unopened: true })
  if (problems.length === 0) {
    say('The history is whole.')
    return
  }
  sayLost(problems)
}

async function backUp(): Promise<void> {
  const { path, bytes } = await withApp((api) => api.history.backUp())
  say(`${path}, ${bytes} bytes`)
}

async function repair(): Promise<void> {
  const { aside, saved, fromBackups, lost }: RepairReport = await withApp((api) => api.history.repair(), { unopened: true })
  say(`${runs(saved)} read from the damaged file, ${runs(fromBackups)} from backups; the damaged file is now ${aside}`)
  sayLost(lost)
}

async function exportAll(file: string): Promise<void> {
  await withApp((api) => api.history.exportTo({ path: file }))
}

async function importAll(file: string): Promise<void> {
  const { added, replaced, known, lost }: MergeReport = await withApp((api) => api.history.importFrom({ path: file }))
  say(`${runs(added)} added, ${replaced} replaced by a more complete one, ${known} known already`)
  sayLost(lost)
}
