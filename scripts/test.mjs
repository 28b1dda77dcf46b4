// Every test of the project; does its own set-up. Ends with one line "N passed, N failed" (and ", N skipped").
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { environment, onPath, root, say, seconds, succeeds } from './lib/process.mjs'
import { bundles, findElectron, nativeModule, npmPackages, pinnedNode } from './lib/setup.mjs'
import { systemPackages, toTest } from './lib/system-packages.mjs'

npmPackages()
pinnedNode()
systemPackages(toTest)
nativeModule({ tests: true })
bundles()

const results = join(root, 'test-results')
rmSync(results, { recursive: true, force: true })
const total = { passed: 0, failed: 0, skipped: 0 }
let broken = false

/** Runs one part; a part that throws or says false fails the whole, whatever it counted. */
function part(name, body) {
  const start = Date.now()
  let fine = false
  try {
    fine = body()
  } catch (error) {
    console.error(error)
  }
  if (!fine) broken = true
  say(`${name}: ${fine ? 'passed' : 'FAILED'} (${seconds(start)})`)
}

function count({ passed = 0, failed = 0, skipped = 0 }) {
  total.passed += passed
  total.failed += failed
  total.skipped += skipped
}

function check(command, args) {
  const fine = succeeds(command, args)
  count(fine ? { passed: 1 } : { failed: 1 })
  return fine
}

/** One doctest program a room; its closing line carries the counts. */
function nativeTests() {
  const build = join(root, 'native', 'build')
  const programs = readdirSync(build).filter((file) => /^[a-z]+_test$/.test(file))
  if (programs.length === 0) {
    say('native tests: not built, because doctest was not found')
    count({ skipped: 1 })
    return true
  }
  const verdicts = programs.map((program) => {
    const outcome = spawnSync(join(build, program), ['--no-colors', '--no-intro'], { cwd: root, env: environment, encoding: 'utf8' })
    const counts = /test cases:\s*(\d+)\s*\|\s*(\d+) passed\s*\|\s*(\d+) failed\s*\|\s*(\d+) skipped/.exec(outcome.stdout ?? '')
    if (outcome.status !== 0 || !counts) console.error(`${program}:\n${outcome.stdout ?? ''}${outcome.stderr ?? ''}`)
    if (!counts) count({ failed: 1 })
    else count({ passed: Number(counts[2]), failed: Number(counts[3]), skipped: Number(counts[4]) })
    return outcome.status === 0 && counts !== null && Number(counts[1]) > 0
  })
  return verdicts.every(Boolean)
}

function unitTests() {
  const file = join(results, 'unit.json')
  const fine = succeeds('vitest', ['run', '--reporter=dot', '--reporter=json', `--outputFile.json=${file}`])
  const report = JSON.parse(readFileSync(file, 'utf8'))
  count({ passed: report.numPassedTests, failed: report.numFailedTests, skipped: report.numPendingTests + report.numTodoTests })
  return fine && report.numTotalTests > 0
}

function endToEnd() {
  if (process.platform === 'linux' && !onPath('chromium') && !process.env.HINM_CHROMIUM) {
    console.error('Chromium is needed for the end-to-end tests: install the package chromium or set HINM_CHROMIUM.')
    count({ failed: 1 })
    return false
  }
  const electron = findElectron({ fetch: !process.env.CI })
  say(electron.path ? `the Electron specs run on real Electron: ${electron.path}` : `the Electron specs run on the double, because ${electron.reason}`)
  const file = join(results, 'end-to-end.json')
  const double = electron.path ? {} : { ELECTRON_OVERRIDE_DIST_PATH: join(root, 'test', 'double') }
  const fine = succeeds('playwright', ['test', '--reporter=list,json'], { env: { ...environment, PLAYWRIGHT_JSON_OUTPUT_NAME: file, ...double } })
  if (!existsSync(file)) {
    count({ failed: 1 })
    return false
  }
  const { stats } = JSON.parse(readFileSync(file, 'utf8'))
  count({ passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped })
  return fine && stats.expected > 0
}

part('types', () => check('vue-tsc', ['--noEmit', '-p', '.']))
part('lint', () => check('eslint', ['.', '--max-warnings', '0']))
part('format', () => check('prettier', ['--check', '--log-level', 'warn', '.']))
part('unused code', () => check('knip', ['--no-progress']))
part('native', nativeTests)
part('unit', unitTests)
part('end to end', endToEnd)

console.log(`${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`)
process.exit(broken || total.failed > 0 ? 1 : 0)
