// Benchmarks are no tests: they print ratios measured side by side in one run. `npm run bench -- kernels` runs one.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root, run, say } from './lib/process.mjs'
import { bundles, nativeModule, npmPackages, pinnedNode } from './lib/setup.mjs'
import { systemPackages, toBuild } from './lib/system-packages.mjs'

npmPackages()
pinnedNode()
systemPackages(toBuild)
nativeModule()
bundles()

const folder = join(root, 'bench')
const known = existsSync(folder) ? readdirSync(folder).flatMap((file) => /^([\w-]+)\.ts$/.exec(file)?.[1] ?? []) : []
const [first, ...rest] = process.argv.slice(2)
const named = first && !first.startsWith('-')
if (named && !known.includes(first)) {
  console.error(`[hinm] There is no benchmark "${first}"; known are ${known.join(', ')}.`)
  process.exit(2)
}
const chosen = named ? [first] : known
const args = named ? rest : process.argv.slice(2)
for (const name of chosen) {
  say(`benchmark ${name}`)
  run('node', [join('bench', `${name}.ts`), ...args])
}
