import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..', '..', '..')
const doubleFolder = join(root, 'test', 'double')
const electronFolder = dirname(createRequire(import.meta.url).resolve('electron/package.json'))

export interface ElectronRuntime {
  kind: 'real Electron' | 'double'
  version: string
  /** Left out where Playwright finds Electron by itself. */
  executablePath?: string
}

/** Which Electron the specs run on: the one that is set or installed, and otherwise the double. */
export function electronRuntime(): ElectronRuntime {
  const { version } = JSON.parse(readFileSync(join(electronFolder, 'package.json'), 'utf8')) as { version: string }
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH
  if (override !== undefined) return { kind: realpathSync(override) === realpathSync(doubleFolder) ? 'double' : 'real Electron', version }
  const display = process.platform !== 'linux' || process.env.DISPLAY !== undefined || process.env.WAYLAND_DISPLAY !== undefined
  if (display && existsSync(join(electronFolder, 'path.txt'))) return { kind: 'real Electron', version }
  return { kind: 'double', version, executablePath: join(doubleFolder, 'electron') }
}
