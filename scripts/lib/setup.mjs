// Brings a fresh clone to a state where the project's own Node runs everything.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { environment, onPath, root, run, say, succeeds, windows } from './process.mjs'
import { hashOf, once } from './stamp.mjs'

/** Exactly what the lock says; no script of a dependency runs that package.json does not allow. */
export function npmPackages() {
  once('npm packages', `${hashOf(['package-lock.json', 'package.json', '.npmrc'])} ${process.platform}-${process.arch}`, () => {
    const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
    const npm = process.env.npm_execpath
    if (npm) run(process.execPath, [npm, ...args], { shell: false })
    else run('npm', args)
  })
}

/** This script goes on under the pinned Node where the one that started it is too old for better-sqlite3. */
export function pinnedNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 15)) return
  const own = join(root, 'node_modules', '.bin', windows ? 'node.cmd' : 'node')
  if (!existsSync(own) || process.env.HINM_NODE_SWITCHED) {
    console.error(`[hinm] Node ${process.version} is too old and no pinned Node is known for ${process.platform}-${process.arch}: install Node 24.`)
    process.exit(1)
  }
  process.exit(succeeds(own, process.argv.slice(1), { env: { ...environment, HINM_NODE_SWITCHED: '1' } }) ? 0 : 1)
}

/** The native module. `tests` also builds its test programs. */
export function nativeModule({ tests = false } = {}) {
  if (!onPath('cmake')) {
    console.error('[hinm] cmake was not found, so the native module cannot be built: install cmake and a C++20 compiler.')
    process.exit(1)
  }
  const key = `${hashOf(['native', 'package-lock.json'])} ${onPath('nvcc') ? 'nvcc' : 'no nvcc'}`
  const target = tests ? [] : ['--target', 'hinm']
  once(tests ? 'native module and tests' : 'native module', key, () => {
    const quiet = { stdio: ['ignore', 'ignore', 'inherit'] }
    run('cmake', ['-S', 'native', '-B', 'native/build', '-DCMAKE_BUILD_TYPE=Release'], quiet)
    run('cmake', ['--build', 'native/build', '--parallel', '2', ...target], quiet)
  })
}

/** The bundles: renderer, Electron main and preload, engine, server, CLI. */
export function bundles() {
  const sources = ['contract', 'core', 'db', 'electron', 'native', 'server', 'cli', 'renderer', 'vite.config.ts', 'scripts/build.mjs', 'package-lock.json']
  once('bundles', hashOf(sources), () => run('node', ['scripts/build.mjs']))
}

/** A runnable Electron, or the reason why there is none. */
export function findElectron({ fetch }) {
  if (process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return { reason: 'there is no display' }
  const require = createRequire(join(root, 'package.json'))
  const folder = join(root, 'node_modules', 'electron')
  const present = () => Boolean(process.env.ELECTRON_OVERRIDE_DIST_PATH) || existsSync(join(folder, 'path.txt'))
  if (!present() && fetch) {
    say('fetching the Electron binary (once)')
    succeeds('node', [join(folder, 'install.js')], { timeout: 300_000, stdio: ['ignore', 'inherit', 'ignore'] })
  }
  return present() ? { path: require('electron') } : { reason: 'the Electron binary could not be fetched' }
}
