import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { endChromium, startChromium } from './chromium.ts'
import { KnownEmitter } from './emitter.ts'
import { takeLock } from './instance-lock.ts'
import { strict } from './strict.ts'

interface Manifest {
  name?: string
  version?: string
}

const scratch = mkdtempSync(join(tmpdir(), 'electron-double-'))
process.on('exit', () => {
  rmSync(scratch, { recursive: true, force: true })
})

/** Set by the boot script before the application is loaded. */
let manifest: Manifest = {}
let folder = process.cwd()
const switches: string[] = []
const paths = new Map([
  ['userData', join(scratch, 'user-data')],
  ['appData', scratch],
  ['temp', tmpdir()],
  ['home', homedir()],
])
const ready = Promise.withResolvers<undefined>()
const asked = Promise.withResolvers<undefined>()
let isReady = false
let isLoading = false
let isQuitting = false
let closeWindows: () => boolean = () => true

interface Preventable {
  preventDefault: () => void
}

/** Emits with an event that can be prevented; true when nobody did. */
function allows(event: string): boolean {
  let allowed = true
  const preventable: Preventable = {
    preventDefault: () => {
      allowed = false
    },
  }
  app.emit(event, preventable)
  return allowed
}

async function exit(code = 0): Promise<void> {
  await endChromium()
  app.emit('quit', {}, code)
  process.exit(code)
}

const commandLine = strict('app.commandLine', {
  appendSwitch: (name: string, value?: string) => void switches.push(value ? `--${name}=${value}` : `--${name}`),
})

const events = ['ready', 'window-all-closed', 'before-quit', 'will-quit', 'quit', 'activate', 'second-instance', 'open-file', 'web-contents-created']
const emitter = new KnownEmitter('app', events) as KnownEmitter & { whenReady: () => Promise<unknown> }
let whenReady = (): Promise<unknown> => ready.promise

/** Stands for Electron's `app`. */
export const app = strict(
  'app',
  Object.assign(emitter, {
    isPackaged: false,
    commandLine,
    isReady: () => isReady,
    getVersion: () => manifest.version ?? '0.0.0',
    getName: () => manifest.name ?? 'double',
    getAppPath: () => folder,
    getPath(name: string): string {
      const path = paths.get(name)
      if (path === undefined) throw new Error(`Failed to get '${name}' path`)
      mkdirSync(path, { recursive: true })
      return path
    },
    setPath: (name: string, path: string) => void paths.set(name, path),
    requestSingleInstanceLock: (): boolean =>
      takeLock(app.getPath('userData'), (values, place) => {
        app.emit('second-instance', {}, values, place)
      }),
    quit() {
      if (isQuitting || !allows('before-quit')) return
      isQuitting = true
      if (!closeWindows() || !allows('will-quit')) isQuitting = false
      else void exit()
    },
    exit: (code?: number) => void exit(code),
  } satisfies Partial<Record<keyof Electron.App, unknown>>),
)

// A property with two sides: Playwright puts its own in place, and the double must still learn that the application waits.
Object.defineProperty(emitter, 'whenReady', {
  get: () => () => {
    if (isLoading) asked.resolve(undefined)
    return whenReady()
  },
  set: (replacement: typeof whenReady) => {
    whenReady = replacement
  },
})

/** What windows tell the application of themselves. */
export function onQuit(close: () => boolean): void {
  closeWindows = close
}

export function allWindowsClosed(): void {
  if (isQuitting) return
  if (app.listenerCount('window-all-closed') > 0) app.emit('window-all-closed')
  else app.quit()
}

/** Reads the manifest of the application in `place`, and fixes what the process says of itself. */
export function introduce(place: string, electronVersion: string, resources?: string): void {
  folder = place
  manifest = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as Manifest
  Object.defineProperty(process.versions, 'electron', { value: electronVersion, configurable: true, enumerable: true })
  if (resources === undefined) Object.assign(process, { type: 'browser', defaultApp: true })
  else Object.assign(process, { type: 'browser', resourcesPath: resources })
  app.isPackaged = resources !== undefined
}

/**
 * Loads the application and becomes ready when it has come so far that it waits for that, or is loaded altogether: only
 * then is it known which profile Chromium shall use.
 */
export async function run(load: () => Promise<unknown>, connected: () => void): Promise<void> {
  isLoading = true
  const loaded = load()
  await Promise.race([loaded, asked.promise])
  if (isQuitting) return
  await startChromium(app.getPath('userData'), switches, (reason) => {
    console.error(reason)
    process.exit(1)
  })
  connected()
  isReady = true
  ready.resolve(undefined)
  app.emit('ready', {}, {})
  await loaded
}
