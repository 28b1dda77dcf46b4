import { spawn, type ChildProcess } from 'node:child_process'
import { CdpConnection, type Cdp } from './cdp.ts'

/** The system's Chromium, or the one that HINM_CHROMIUM names. */
const program = process.env.HINM_CHROMIUM ?? '/usr/bin/chromium'

let chromium: ChildProcess | undefined
let connection: CdpConnection | undefined
let ending = false

/** Starts Chromium with a profile and says, as Electron does, where it can be driven. */
export async function startChromium(profile: string, switches: readonly string[], onGone: (reason: string) => void): Promise<void> {
  chromium = spawn(program, [...ownSwitches(), `--user-data-dir=${profile}`, ...switches, 'about:blank'], { stdio: ['ignore', 'ignore', 'pipe'] })
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let said = ''
  chromium.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString()
    const address = /DevTools listening on (ws:\S+)/.exec(said)?.[1]
    if (address !== undefined) resolve(address)
  })
  chromium.on('error', reject)
  chromium.on('exit', (code) => {
    const reason = `Chromium ended (${code}): ${said.slice(-500)}`
    reject(new Error(reason))
    if (!ending) onGone(reason)
  })
  const address = await promise
  connection = await CdpConnection.open(address)
  await browser().send('Target.setDiscoverTargets', { discover: true })
  process.stderr.write(`DevTools listening on ${address}\n`)
}

/** Chromium's own sandbox is off because tests often run as root, where it refuses to start; see the release checklist. */
function ownSwitches(): string[] {
  return [
    ...(process.env.HINM_HEADED ? [] : ['--headless=new']),
    '--no-sandbox',
    '--remote-debugging-port=0',
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

/** SIGTERM lets Chromium write its profile; a second call ends it at once. */
export async function endChromium(): Promise<void> {
  if (chromium?.exitCode !== null) return
  ending = true
  const gone = new Promise((resolve) => chromium?.once('exit', resolve))
  await browser()
    .send('Browser.close')
    .catch(() => undefined)
  const timer = setTimeout(() => chromium?.kill('SIGKILL'), 2000)
  await gone
  clearTimeout(timer)
}

process.on('exit', () => {
  ending = true
  chromium?.kill('SIGKILL')
})
