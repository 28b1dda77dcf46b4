// Sets up what is missing and opens the app; where Electron or a display is missing, the same app in a browser.
import { spawn } from 'node:child_process'
import { environment, root, say } from './lib/process.mjs'
import { bundles, findElectron, nativeModule, npmPackages, pinnedNode } from './lib/setup.mjs'
import { systemPackages, toBuild } from './lib/system-packages.mjs'

npmPackages()
pinnedNode()
systemPackages(toBuild)
nativeModule()
bundles()

const args = process.argv.slice(2).filter((argument) => argument !== '--web')
const electron = process.argv.includes('--web') ? { reason: '--web was given' } : findElectron({ fetch: true })
if (!electron.path) say(`${electron.reason}: serving the same app to a browser on this machine instead`)
// Chromium's sandbox refuses to run as root; every other user keeps it.
const rootSwitches = process.getuid?.() === 0 ? ['--no-sandbox'] : []
if (electron.path && rootSwitches.length > 0)
  say('this is root, for whom Chromium has no sandbox: the window runs without it; start the app as another user to have it')
const child = electron.path
  ? spawn(electron.path, [...rootSwitches, root, ...args], { stdio: 'inherit', env: environment })
  : spawn('node', ['out/server/main.js', ...args], { cwd: root, stdio: 'inherit', env: environment })
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
