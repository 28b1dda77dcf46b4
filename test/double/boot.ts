// The double's main program: makes this Node process look like Electron's main process to the application and to Playwright.
import inspector from 'node:inspector'
import { createRequire, registerHooks } from 'node:module'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readCommandLine } from './command-line.ts'

const double = new URL('./electron.ts', import.meta.url).href
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' || specifier === 'electron/main' ? { url: double, format: 'module-typescript', shortCircuit: true } : next(specifier, context),
})

const values = process.argv.slice(2)
const { preloads, inspect, entry, resources } = readCommandLine(values)
// A packaged application is its own program and not an argument of it.
process.argv = [process.argv[0]!, ...values.filter((value) => resources === undefined || value !== entry)]

const { app, introduce, run } = await import('./application.ts')
const require = createRequire(import.meta.url)
const electronPackage = JSON.parse(readFileSync(require.resolve('electron/package.json'), 'utf8')) as { version: string }
const place = resolve(entry)
const folder = statSync(place).isDirectory() ? place : process.cwd()
const { main } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { main?: string }
const file = statSync(place).isDirectory() ? join(place, main ?? 'index.js') : place
if (!existsSync(file)) throw new Error(`Electron double: the application ${file} does not exist; build it first.`)
introduce(folder, electronPackage.version, resources)

// Prints "Debugger listening on ws://…", which Playwright waits for.
if (inspect) inspector.open(0, '127.0.0.1', false)
for (const preload of preloads) require(preload)
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    app.quit()
  })
}
// A double that outlives the test that started it would hold Chromium open for ever.
const parent = process.ppid
setInterval(() => {
  if (process.ppid !== parent) process.exit(1)
}, 500).unref()

const { followTargets } = await import('./browser-window.ts')
await run(() => import(pathToFileURL(file).href), followTargets)
