import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { CdpConnection, type Cdp } from './cdp.ts'

/** The system's Chromium, or the one that HINM_CHROMIUM names. */
const program = process.env.HINM_CHROMIUM ?? '/usr/bin/chromium'

let chromium: ChildProcess | undefined
let connection: CdpConnection | undefined
let ending = false

const profileInUse = 21
const patienceMilliseconds = 5000

/**
 * Starts Chromium with a profile and says, as Electron does, where it can be driven. The Chromium of a double that was
 * killed needs a moment to notice, and holds the profile until then.
 */
export async function startChromium(profile: string, switches: readonly string[], onGone: (reason: string) => void): Promise<void> {
  const start = Date.now()
  let launched = await launch(profile, switches)
  while (launched.code === profileInUse && Date.now() - start < patienceMilliseconds) {
    await setTimeout(100)
    launched = await launch(profile, switches)
  }
  if (launched.address === undefined) throw new Error(`Chromium ended (${launched.code}): ${launched.said.slice(-500)}`)
  launched.process.on('exit', (code) => {
    if (!ending) onGone(`Chromium ended (${code}).`)
  })
  chromium = launched.process
  connection = await CdpConnection.open(launched.address)
  await browser().send('Target.setDiscoverTargets', { discover: true })
  process.stderr.write(`DevTools listening on ${launched.address}\n`)
}

interface Launched {
  process: ChildProcess
  /** Where it listens, or undefined when it ended instead, with its code. */
  address?: string
  code: number | null
  said: string
}

/** The two pipes are there for their end: when this process is gone, however it went, Chromium ends itself. */
async function launch(profile: string, switches: readonly string[]): Promise<Launched> {
  const child = spawn(program, [...ownSwitches(), `--user-data-dir=${profile}`, ...switches, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  })
  const { promise, resolve, reject } = Promise.withResolvers<Launched>()
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString()
    const address = /DevTools listening on (ws:\S+)/.exec(said)?.[1]
    if (address !== undefined) resolve({ process: child, address, code: null, said })
  })
  child.on('error', reject)
  child.on('exit', (code) => {
    resolve({ process: child, code, said })
  })
  return await promise
}

/** Chromium's own sandbox is off because tests often run as root, where it refuses to start; see the release checklist. */
function ownSwitches(): string[] {
  return [
    ...(process.env.HINM_HEADED ? [] : ['--headless=new']),
    '--no-sandbox',
    '--remote-debugging-port=0',
    '--remote-debugging-pipe',
    '--no-startup-window',
    '--no-first-run',
    '--disable-gpu',
    '--disable-quic',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ]
}

function connected(): CdpConnection {
  if (!connection) throw new Error('Electron double: Chromium was used before the application was ready.')
  return connection
}

export const browser = (): Cdp => connected().session()
export const pageSession = (sessionId: string): Cdp => connected().session(sessionId)

/** Asked to, Chromium writes its profile and ends; one that does not is killed. */
export async function endChromium(): Promise<void> {
  if (chromium?.exitCode !== null) return
  ending = true
  const gone = once(chromium, 'exit')
  await browser()
    .send('Browser.close')
    .catch(() => undefined)
  const patience = setTimeout(2000, undefined, { ref: false }).then(() => chromium?.kill('SIGKILL'))
  await Promise.race([gone, patience])
}

process.on('exit', () => {
  ending = true
  chromium?.kill('SIGKILL')
})
