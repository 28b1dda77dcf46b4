#!/usr/bin/env node
// The command `hinm`. Plain JavaScript, because an old Node has to get far enough to hand over to a newer one.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major > 22 || (major === 22 && minor >= 15)) {
  // Two thirds of the time to start would go into compiling the same sources again.
  module.enableCompileCache()
  const source = join(here, 'main.ts')
  const entry = existsSync(source) ? './main.ts' : '../out/cli/main.js'
  await import(entry)
} else {
  const pinned = join(here, '..', 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')
  if (!existsSync(pinned)) {
    console.error(`hinm needs Node 22.15 or newer, but this is ${process.version}; run "npm run setup", which brings its own Node, or install Node 24.`)
    process.exit(2)
  }
  const { status, signal } = spawnSync(pinned, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (signal) process.kill(process.pid, signal)
  process.exit(status ?? 1)
}
