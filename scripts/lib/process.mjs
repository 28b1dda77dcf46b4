// Running other programs from the set-up scripts. Plain JavaScript for any Node ≥ 18, nothing installed.
import { spawnSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The top folder of the clone. */
export const root = fileURLToPath(new URL('../../', import.meta.url))
export const windows = process.platform === 'win32'

/** npm's bin folder first in PATH, so that `node` is the pinned one. */
const bin = join(root, 'node_modules', '.bin')
export const environment = { ...process.env, PATH: bin + delimiter + (process.env.PATH ?? '') }

export const say = (message) => console.log(`[hinm] ${message}`)

/** Runs a program in the clone; false when it failed. */
export function succeeds(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: environment, shell: windows, ...options })
  if (result.error) say(`${command} could not be started: ${result.error.message}`)
  return result.status === 0
}

/** Runs a program in the clone and ends this process when it fails. */
export function run(command, args, options = {}) {
  if (succeeds(command, args, options)) return
  console.error(`[hinm] failed: ${command} ${args.join(' ')}`)
  process.exit(1)
}

/** Is there a program of this name on PATH? */
export function onPath(program) {
  const finder = windows ? 'where' : 'which'
  return spawnSync(finder, [program], { env: environment, stdio: 'ignore' }).status === 0
}

export const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(1)} s`
