import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { processorFacts } from './processor-facts.ts'

const root = mkdtempSync(join(tmpdir(), 'hinm-facts-'))
afterAll(() => {
  rmSync(root, { recursive: true, force: true })
})

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), `${text}\n`)
}

describe('facts of the processor', () => {
  test('what is not shown is unknown with its cause, never 0', () => {
    const facts = processorFacts(join(root, 'empty'))
    for (const name of ['cpu.cores', 'cpu.governor', 'cpu.caches']) {
      expect(facts[name]?.value).toBeNull()
      expect(facts[name]?.reason).toContain('does not show')
    }
  })

  test('cores are counted by socket and core, instruction caches are left out', () => {
    // Two sockets; the first with two threads on one core.
    put('proc/cpuinfo', ['0 0', '0 0', '1 0'].map((pair) => `physical id\t: ${pair.charAt(0)}\ncore id\t\t: ${pair.charAt(2)}`).join('\n\n'))
    put('sys/devices/system/cpu/cpu0/cpufreq/scaling_governor', 'performance')
    for (const [index, level, type, size] of [
      [0, '1', 'Data', '32K'],
      [1, '1', 'Instruction', '64K'],
      [2, '2', 'Unified', '1024K'],
    ] as const) {
      put(`sys/devices/system/cpu/cpu0/cache/index${index}/level`, level)
      put(`sys/devices/system/cpu/cpu0/cache/index${index}/type`, type)
      put(`sys/devices/system/cpu/cpu0/cache/index${index}/size`, size)
    }
    expect(processorFacts(root)).toMatchObject({
      'cpu.cores': { value: 2 },
      'cpu.governor': { value: 'performance' },
      'cpu.caches': { value: 'L1 32K, L2 1024K' },
    })
  })

  test('every fact of this machine has a value or a reason', () => {
    for (const [name, { value, reason }] of Object.entries(processorFacts())) expect(value ?? reason, name).toBeTruthy()
  })
})
