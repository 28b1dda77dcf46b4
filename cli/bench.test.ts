import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'hinm-bench-'))
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

async function bench(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'hinm.mjs'), 'bench', ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout, stderr }
}

describe('hinm bench', () => {
  it('pins a baseline, and judges a later run against it by its exit code', { timeout: 120_000 }, async () => {
    const pinned = join(folder, 'pinned.json')
    const quick = ['--shape', '64x128x16', '--patterns', 'hinm', '--vector', '32', '--seconds', '0.5']
    const first = await bench(...quick, '--pin', pinned)
    expect([0, 3], first.stderr).toContain(first.code)
    expect(first.stdout).toContain('hinm 75 % V=32')
    const second = await bench(...quick, '--against', pinned, '--json')
    const { schema, outcome } = JSON.parse(second.stdout) as { schema: string; outcome: 'fine' | 'regression' | 'unclear' }
    expect(schema).toBe('hinm-bench/1')
    expect(second.code).toBe({ fine: 0, regression: 1, unclear: 3 }[outcome])
  })

  it.each([
    [['--shape', '64'], '4096x4096x64'],
    [['--shape', '64x64x8', '--patterns', 'unstructured'], 'no sparse kernel'],
    [['--shape', '64x64x8', '--threads', '0'], 'whole number from 1'],
    [['--shape', '64x64x8', '--against', join(folder, 'missing.json')], '--pin'],
  ])('%j is refused with exit code 2', { timeout: 30_000 }, async (args, sentence) => {
    const { code, stderr } = await bench(...args)
    expect(stderr).toContain(sentence)
    expect(code).toBe(2)
  })
})
