import '../core/app/require-node.ts'
import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { AppError, failureOf } from '../contract/error.ts'
import { createApp } from '../core/app/app-context.ts'
import { hinmHome } from '../core/app/home.ts'
import { appVersion } from '../core/app/version.ts'
import { spawnNode } from '../core/engine/spawn-node.ts'
import { pageFolder } from '../core/page/page-folder.ts'
import { serve } from './serve.ts'

function portNumber(text: string): number {
  const port = Number(text)
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw new InvalidArgumentError(`Choose a whole number from 0 to 65535; 0 takes any free port.`)
  return port
}

async function start(port: number): Promise<void> {
  const folder = pageFolder(import.meta.dirname, import.meta.filename.endsWith('.ts'))
  if (!existsSync(join(folder, 'index.html')))
    throw new AppError('FILE_NOT_FOUND', 'The page of the application is not built; run "npm run build" and start the server again.')
  const app = createApp({ host: 'server', home: hinmHome(), spawnEngine: spawnNode(), version: appVersion() })
  const stop = stopper(() => app.close())
  try {
    const served = await serve({ context: app.context, folder, port })
    stop.first(served.close)
    console.log(`HiNM Bench is served at ${served.url}`)
  } catch (thrown) {
    await app.close()
    throw thrown
  }
}

/** Ends in order at the first signal: connections, then the run that goes on, then the history. A second signal ends at once. */
function stopper(closeApp: () => Promise<void>): { first: (step: () => Promise<void>) => void } {
  const steps = [closeApp]
  let stopping = false
  const stop = async (): Promise<void> => {
    if (stopping) process.exit(1)
    stopping = true
    for (const step of steps) await step()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop())
  return { first: (step) => void steps.unshift(step) }
}

const program = new Command('server')
  .description('Serves HiNM Bench to a browser on this machine, and to one elsewhere through an SSH tunnel.')
  .option('--port <number>', 'port on 127.0.0.1; 0 takes any free one', portNumber, 0)
  .version(appVersion())
  .exitOverride()

try {
  const options = program.parse().opts<{ port: number }>()
  await start(options.port)
} catch (thrown) {
  if (thrown instanceof CommanderError) process.exitCode = thrown.exitCode
  else {
    console.error(failureOf(thrown).message)
    process.exitCode = 1
  }
}
