// The check on a machine with a GPU: builds, runs every kernel against float64, measures bandwidths, runs the bench, and
// writes one JSON file. Each step is a process of its own and survives the failure of another; the whole ends in six minutes.
//
//   node scripts/gpu-check.mjs [--out FILE] [--quick] [--from FOLDER]
//
// --quick takes the least of everything. --from puts together what "gpu_check STEP > FOLDER/STEP.json" left on a machine
// without Node. Without a GPU it says so and ends well.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { environment, onPath, root, run, say, seconds, windows } from './lib/process.mjs'
import { pinnedNode } from './lib/setup.mjs'

pinnedNode()

const value = (name) => {
  const at = process.argv.indexOf(name)
  return at < 0 ? undefined : process.argv[at + 1]
}
const quick = process.argv.includes('--quick')
const out = resolve(value('--out') ?? join(root, 'bench', 'results', 'gpu-check.json'))
const folder = value('--from')

/** All steps together, and one of them at most. */
const budget = { all: 340_000, step: 90_000 }

function program() {
  if (process.env.HINM_GPU_CHECK) return process.env.HINM_GPU_CHECK
  if (!onPath('cmake')) {
    console.error('[hinm] cmake was not found, so the check cannot be built: install cmake and a C++20 compiler.')
    process.exit(1)
  }
  const start = Date.now()
  const build = join(root, 'native', 'build')
  const quiet = { stdio: ['ignore', 'ignore', 'inherit'] }
  run('cmake', ['-S', 'native', '-B', build, '-DCMAKE_BUILD_TYPE=Release'], quiet)
  run('cmake', ['--build', build, '--parallel', '--target', 'gpu_check'], quiet)
  say(`built the check in ${seconds(start)}`)
  return join(build, windows ? 'gpu_check.exe' : 'gpu_check')
}

/** The document a step wrote, or why there is none. */
function parsed(text, fallback) {
  try {
    const document = JSON.parse(text)
    return 'error' in document ? { status: 'failed', error: document.error, code: document.code } : { status: 'done', document }
  } catch {
    return { status: 'failed', error: fallback }
  }
}

function runStep(check, name, left) {
  const start = Date.now()
  const args = quick ? [name, '--quick'] : [name]
  const outcome = spawnSync(check, args, {
    env: environment,
    encoding: 'utf8',
    timeout: Math.min(left, budget.step),
    killSignal: 'SIGKILL',
    maxBuffer: 1 << 28,
  })
  const took = (Date.now() - start) / 1000
  if (outcome.error?.code === 'ETIMEDOUT') return { name, seconds: took, status: 'failed', error: `The step did not end within ${took.toFixed(0)} s.` }
  const words = outcome.signal ? `The step was ended by the signal ${outcome.signal}.` : `The step ended with status ${outcome.status} and without a document.`
  return { name, seconds: took, ...parsed(outcome.stdout ?? '', words) }
}

function runSteps() {
  const check = program()
  const names = spawnSync(check, ['list'], { env: environment, encoding: 'utf8' }).stdout.split('\n').filter(Boolean)
  const start = Date.now()
  const steps = []
  for (const name of names) {
    const left = budget.all - (Date.now() - start)
    const step = left > 0 ? runStep(check, name, left) : { name, seconds: 0, status: 'skipped', error: 'The time for all steps was used up.' }
    steps.push(step)
    // Without a device every further step would say the same.
    if (name === 'device' && step.code === 'DEVICE_UNAVAILABLE') break
    say(`${name}: ${step.status}${step.error ? ` (${step.error})` : ''} in ${step.seconds.toFixed(1)} s`)
  }
  return steps
}

function collected() {
  const names = readFileSync(join(folder, 'steps.txt'), 'utf8').split('\n').filter(Boolean)
  return names.map((name) => {
    const file = join(folder, `${name}.json`)
    const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
    return { name, seconds: 0, ...parsed(text, 'The step left no document.') }
  })
}

const steps = folder ? collected() : runSteps()
const { assembleReport } = await import('../core/measure/gpu-report.ts')
const report = assembleReport(steps, new Date().toISOString())
if (report.status === 'no device') {
  say(`no device: ${report.reason}`)
} else {
  mkdirSync(dirname(out), { recursive: true })
  writeFileSync(out, `${JSON.stringify(report, null, 2)}\n`)
  say(`${report.status}: ${out}`)
  const wrong = report.products?.failed ?? 0
  if (wrong > 0) say(`${wrong} of the products are wrong; the file names them.`)
  process.exitCode = report.status === 'done' && wrong === 0 ? 0 : 1
}
