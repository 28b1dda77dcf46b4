import type { Browser } from '@playwright/test'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { listenToPage, type RunningHost } from './running-host.ts'

export const root = resolve(import.meta.dirname, '..', '..', '..')

export interface RunningServer {
  /** The link that it printed. */
  link: string
  stop: (signal: 'SIGTERM' | 'SIGKILL' | 'SIGINT') => Promise<number | null>
}

/** Starts the server from source with a home of its own, and waits for the one line that it prints. */
export async function startServer(home: string, complaints: string[]): Promise<RunningServer> {
  const server = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'server/main.ts'], {
    cwd: root,
    env: { ...process.env, HINM_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  createInterface({ input: server.stderr }).on('line', (line) => complaints.push(`server: ${line}`))
  const lines = createInterface({ input: server.stdout })
  const [line] = (await Promise.race([
    once(lines, 'line'),
    once(server, 'exit').then(([code]) => {
      throw new Error(`The server ended with code ${code}: ${complaints.join('\n')}`)
    }),
  ])) as [string]
  lines.on('line', (more) => complaints.push(`server printed more than its link: ${more}`))
  const link = /http:\S+/.exec(line)?.[0]
  if (link === undefined) throw new Error(`The server printed no link but: ${line}`)
  return {
    link,
    async stop(signal) {
      if (server.exitCode !== null || server.signalCode !== null) return server.exitCode
      const gone = once(server, 'exit')
      server.kill(signal)
      await gone
      return server.exitCode
    },
  }
}

/** The server with a browser on it. */
export async function openServerHost(home: string, browser: Browser): Promise<RunningHost> {
  const complaints: string[] = []
  const server = await startServer(home, complaints)
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  listenToPage(page, complaints)
  await page.goto(server.link)
  return {
    page,
    complaints,
    async close() {
      await context.close()
      await server.stop('SIGTERM')
    },
    async kill() {
      await context.close()
      await server.stop('SIGKILL')
    },
  }
}
