import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Report } from '../contract/report.ts'

const entry = join(import.meta.dirname, 'hinm.mjs')
const sample = join(import.meta.dirname, '..', 'samples', 'fashion')

let home: string
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'hinm-cli-'))
})
afterAll(() => {
  rmSync(home, { recursive: true, force: true })
})

interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

function begin(...args: string[]): { child: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(process.execPath, [entry, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, HINM_HOME: home } })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  return { child, ended: once(child, 'close').then(([code]: (number | null)[]) => ({ code: code ?? null, stdout, stderr })) }
}
const hinm = (...args: string[]): Promise<Ended> => begin(...args).ended

const quick = ['run', sample, '--models', 'fashion-mlp', '--no-timing', '--no-accuracy']

describe('hinm', () => {
  it('runs, lists, shows and exports on the real sample', { timeout: 90_000 }, async () => {
    const run = await hinm(...quick, '--patterns', 'dense,2:4,hinm', '--sparsity', '75', '--vector', '32', '--strategies', 'none,gyro')
    expect(run.code, run.stderr).toBe(0)
    expect(run.stdout).toContain('Retained saliency, %')
    expect(run.stdout.split('\n').filter((line) => line.startsWith('fashion-mlp '))).toHaveLength(5)
    // Quiet lines, because stderr is no terminal here.
    expect(run.stderr.split('\n').filter((line) => line !== '')).toHaveLength(5)
    expect(run.stderr).not.toContain('\u001B')

    expect((await hinm('list')).stdout).toMatch(/1 +.* done +5 done +Fashion-MNIST/)
    const shown = await hinm('show', '1', '--json')
    const report = v.parse(Report, JSON.parse(shown.stdout))
    expect(report).toMatchObject({ schema: 'hinm-report/1', runId: 1, environment: { host: 'cli' } })
    const whole = report.cases.filter(({ layer }) => layer === null)
    expect(whole.map(({ pattern, sparsityAsked, vector, strategy }) => [pattern, sparsityAsked, vector, strategy])).toEqual([
      ['dense', 0, null, 'none'],
      ['2:4', 50, null, 'none'],
      ['2:4', 50, null, 'gyro'],
      ['hinm', 75, 32, 'none'],
      ['hinm', 75, 32, 'gyro'],
    ])
    // Three layers below every whole-model row.
    expect(report.cases).toHaveLength(5 * 4)

    const path = join(home, 'run.csv')
    expect((await hinm('export', '1', '--output', path)).code).toBe(0)
    expect(readFileSync(path, 'utf8').split('\r\n')).toHaveLength(1 + 20 + 1)
    expect(await hinm('export', '1', '--output', path)).toMatchObject({ code: 2, stderr: expect.stringContaining('is there already') as string })
    expect((await hinm('resume', '1')).code).toBe(2)
  })

  it('stops in good order on Ctrl-C and goes on with resume', { timeout: 90_000 }, async () => {
    const { child, ended } = begin(...quick, '--patterns', 'hinm', '--sparsity', '75,87.5', '--strategies', 'gyro', '--seeds', '1,2,3')
    await once(child.stderr!, 'data')
    child.kill('SIGINT')
    const stopped = await ended
    expect(stopped.code).toBe(1)
    expect(stopped.stdout).toContain('(cancelled)')
    expect(stopped.stderr).not.toContain('    at ')
    const list = JSON.parse((await hinm('list', '--json')).stdout) as { runs: { id: number; status: string; counts: Record<string, number> }[] }
    const [run] = list.runs
    expect(run).toMatchObject({ status: 'cancelled' })
    expect(run!.counts.done).toBeGreaterThanOrEqual(1)
    const resumed = await hinm('resume', String(run!.id))
    expect(resumed.code, resumed.stderr).toBe(0)
    expect(resumed.stdout).toContain('(done)')
    expect(resumed.stderr.split('\n').filter((line) => line.includes('] done '))).toHaveLength(6 - run!.counts.done!)
  })

  it.each([
    ['a project that is not there', ['run', join(tmpdir(), 'no-such-project')], 'There is no project at'],
    ['a sparsity out of range', [...quick, '--patterns', 'hinm', '--sparsity', '120'], 'A sparsity of 120 % is out of range'],
    ['a sparsity that is no number', [...quick, '--sparsity', 'much'], '"much" is not a number'],
    ['a sparsity that the pattern cannot have', [...quick, '--patterns', 'hinm', '--sparsity', '30'], 'prunes at least 50 %'],
    ['a pattern that is not known', [...quick, '--patterns', 'nonsense'], 'The pattern "nonsense" is not known'],
    ['a vector height out of range', [...quick, '--vector', '0'], 'A vector height of 0 is out of range'],
    ['a strategy that is not known', [...quick, '--strategies', 'best'], '"best" is not one of'],
    ['a model that the project has not', ['run', sample, '--models', 'other'], 'no model named "other"'],
    ['a run that is not there', ['show', '99'], 'There is no run 99'],
    ['a command that is not known', ['dance'], "unknown command 'dance'"],
    ['a setting that is not known', [...quick, '--faster'], "unknown option '--faster'"],
  ])('answers %s with exit code 2 and one sentence', async (_name, args, words) => {
    const { code, stdout, stderr } = await hinm(...args)
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(stderr).toMatch(/^hinm: /)
    expect(stderr).toContain(words)
  })

  it('explains its numbers and tells its version', async () => {
    expect((await hinm('metrics')).stdout).toContain('saliency.retained')
    expect((await hinm('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect(existsSync(join(home, 'history.db'))).toBe(true)
  })
})
