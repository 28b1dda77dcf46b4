import { _electron, type ElectronApplication } from '@playwright/test'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { electronRuntime } from './electron-runtime.ts'
import { listenToPage, type RunningHost } from './running-host.ts'
import { root } from './server-host.ts'

/** Chromium's sandbox refuses to run as root, so that root alone goes without it. */
const isRoot = process.getuid?.() === 0

/** What Electron itself says while it is being driven. */
const chatter = [/^Debugger (listening|attached|ending)/, /^For help, see/, /^DevTools listening/, /^Waiting for the debugger/, /^$/]

export interface ElectronHost extends RunningHost {
  readonly app: ElectronApplication
}

export interface ElectronOptions {
  /** Folder or file of the application; the clone otherwise. */
  application?: string
  args?: readonly string[]
}

/** The desktop window, in the clone or of an application elsewhere. */
export async function openElectronHost(home: string, { application = root, args = [] }: ElectronOptions = {}): Promise<ElectronHost> {
  const { executablePath } = electronRuntime()
  const app = await _electron.launch({
    args: [application, ...args],
    cwd: root,
    env: { ...definedVariables(), HINM_HOME: home },
    chromiumSandbox: !isRoot,
    ...(executablePath === undefined ? {} : { executablePath }),
  })
  const complaints: string[] = []
  const main = app.process()
  createInterface({ input: main.stderr! }).on('line', (line) => {
    if (!chatter.some((pattern) => pattern.test(line))) complaints.push(`main process: ${line}`)
  })
  const page = await app.firstWindow()
  listenToPage(page, complaints)
  return {
    app,
    page,
    complaints,
    close: () => app.close(),
    async kill() {
      const gone = once(main, 'exit')
      main.kill('SIGKILL')
      await gone
    },
  }
}

function definedVariables(): Record<string, string> {
  return Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined))
}
