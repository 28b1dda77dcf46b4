import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { GpuReport } from '../../core/measure/gpu-report.ts'

const script = join(import.meta.dirname, '..', '..', 'scripts', 'gpu-check.mjs')
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gpu-check-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

/** Runs the script over a program that answers each step with what `answers` says. */
function runOver(answers: string) {
  const program = join(folder, 'program.mjs')
  writeFileSync(program, `#!${process.execPath}\nconst step = process.argv[2]\n${answers}\n`)
  chmodSync(program, 0o755)
  const out = join(folder, 'report.json')
  const outcome = spawnSync(process.execPath, [script, '--out', out], { env: { ...process.env, HINM_GPU_CHECK: program }, encoding: 'utf8' })
  return { outcome, report: () => JSON.parse(readFileSync(out, 'utf8')) as GpuReport }
}

const withoutWindows = test.skipIf(process.platform === 'win32')

withoutWindows('without a GPU the check says so in one sentence and ends well', () => {
  const { outcome } = runOver(`
    if (step === 'list') console.log('device\\nproducts')
    else { console.log(JSON.stringify({ error: 'No NVIDIA driver was found.', code: 'DEVICE_UNAVAILABLE' })); process.exit(2) }`)
  expect(outcome.stdout).toBe('[hinm] no device: No NVIDIA driver was found.\n')
  expect(outcome.status).toBe(0)
})

withoutWindows('a step that crashes or fails leaves the others, and the check does not end well', () => {
  const { outcome, report } = runOver(`
    if (step === 'list') console.log('device\\nproducts\\nbandwidth\\nbench-64x64x16')
    if (step === 'device') console.log(JSON.stringify({ facts: {} }))
    if (step === 'products') process.kill(process.pid, 'SIGKILL')
    if (step === 'bandwidth') { console.log(JSON.stringify({ error: 'It failed.', code: 'DEVICE_FAILED' })); process.exit(2) }
    if (step === 'bench-64x64x16') console.log(JSON.stringify({ rows: 64, cols: 64, n: 16, baselines: [], products: [] }))`)
  expect(outcome.status).toBe(1)
  expect(report().status).toBe('incomplete')
  expect(report().steps.map(({ status, error }) => [status, error])).toEqual([
    ['done', undefined],
    ['failed', 'The step was ended by the signal SIGKILL.'],
    ['failed', 'It failed.'],
    ['done', undefined],
  ])
  expect(report().bench).toHaveLength(1)
})

withoutWindows('products that are wrong make the check end badly although every step ran', () => {
  const { outcome } = runOver(`
    if (step === 'list') console.log('device\\nproducts')
    if (step === 'device') console.log(JSON.stringify({ facts: {} }))
    if (step === 'products') console.log(JSON.stringify({ products: [], passed: 41, failed: 1 }))`)
  expect(outcome.status).toBe(1)
  expect(outcome.stdout).toContain('1 of the products are wrong')
})
