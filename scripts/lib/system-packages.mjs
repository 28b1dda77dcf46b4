// Programs and headers that npm cannot bring. On Debian as root they are fetched; elsewhere the missing ones are named.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { environment, onPath, say, seconds, succeeds } from './process.mjs'

const program = (name) => () => onPath(name)
const header = (name) => () => existsSync(`/usr/include/${name}`) || existsSync(`/usr/local/include/${name}`)
const library = (name) => () =>
  spawnSync('ldconfig', ['-p'], { env: { ...environment, PATH: `${environment.PATH}:/sbin:/usr/sbin` }, encoding: 'utf8' }).stdout?.includes(name) ?? false

/** Debian package → how to tell that it is there, and what goes missing without it. */
const packages = {
  cmake: { present: program('cmake'), without: 'the native module cannot be built' },
  'g++': { present: program('g++'), without: 'the native module cannot be built' },
  make: { present: program('make'), without: 'the native module cannot be built' },
  'libhwy-dev': { present: header('hwy/highway.h'), without: 'kernels use the compiler’s baseline instruction set' },
  'libopenblas0-pthread': { present: library('libopenblas.so.0'), without: 'the OpenBLAS baseline is not measured' },
  libdnnl2: { present: library('libdnnl.so'), without: 'the oneDNN baseline is not measured' },
  'doctest-dev': { present: header('doctest/doctest.h'), without: 'the native tests are not built' },
  'nlohmann-json3-dev': { present: header('nlohmann/json.hpp'), without: 'the training methods are not held against the given vectors' },
  chromium: { present: program('chromium'), without: 'the end-to-end tests cannot run' },
}

/** What `npm start` needs, and what `npm test` needs beyond it. */
export const toBuild = ['cmake', 'g++', 'make', 'libhwy-dev', 'libopenblas0-pthread', 'libdnnl2']
export const toTest = [...toBuild, 'doctest-dev', 'nlohmann-json3-dev', 'chromium']

/** Fetches or names what is missing of `wanted`. */
export function systemPackages(wanted) {
  if (process.platform !== 'linux') return
  const missing = wanted.filter((name) => !packages[name].present())
  if (missing.length === 0) return
  const apt = existsSync('/usr/bin/apt-get')
  if (!apt || process.getuid?.() !== 0 || process.env.HINM_NO_APT) {
    for (const name of missing) say(`not found: ${name} (${packages[name].without})`)
    if (apt) say(`to install them: sudo apt-get install ${missing.join(' ')}`)
    return
  }
  const start = Date.now()
  const quiet = { env: { ...environment, DEBIAN_FRONTEND: 'noninteractive' }, stdio: ['ignore', 'ignore', 'inherit'] }
  succeeds('apt-get', ['update', '-qq'], quiet)
  const installed = succeeds('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], quiet)
  say(`system packages ${missing.join(' ')}: ${installed ? seconds(start) : 'could not be installed'}`)
}
