import { describe, expect, test } from 'vitest'
import { diagnose, type DiagnosisCode, type DiagnosisInput } from './diagnosis.ts'
import { executedWork, movedBytes } from './work.ts'

/** A core of 115 GFLOP/s with 16 lanes and 20 GB/s. */
const ceilings = { multiplyAdd: 115e9, bandwidth: 20e9 }

function input(rows: number, cols: number, columns: number, change: Partial<DiagnosisInput & DiagnosisInput['pattern']> = {}): DiagnosisInput {
  const pattern = { vector: change.vector ?? 64, keptColumns: change.keptColumns ?? cols / 2, n: change.n ?? 2, m: change.m ?? 4 }
  const shape = { rows, cols, columns }
  const weightBytes = (rows * pattern.keptColumns * pattern.n * 5) / pattern.m
  // What a kernel at 75 % of the peak takes, or the memory where that is longer.
  const ideal = Math.max(executedWork(shape, pattern) / ceilings.multiplyAdd / 0.75, movedBytes(shape, weightBytes) / ceilings.bandwidth) * 1e3
  return { shape, pattern, weightBytes, threads: 1, ceilings, lanes: 16, sparseMilliseconds: ideal, denseMilliseconds: 4 * ideal, ...change }
}

const codes = (given: DiagnosisInput): DiagnosisCode[] => diagnose(given).map(({ code }) => code)

describe('each cause has a shape that provokes it', () => {
  test('launch-bound: a tiny product on two threads', () => {
    expect(codes(input(16, 16, 16, { threads: 2, sparseMilliseconds: 0.03 }))[0]).toBe('launch-bound')
  })

  test('batch too small: 5 columns fill 31 % of 16 lanes', () => {
    // In the kernel's own time: idle lanes cost 2.2 times the arithmetic, so the product takes 3.2 times as long.
    const made = input(512, 512, 5)
    const arithmetic = (executedWork(made.shape, made.pattern) / ceilings.multiplyAdd) * 1e3
    const found = diagnose({ ...made, ceilings: { ...ceilings, bandwidth: 200e9 }, sparseMilliseconds: 3.2 * arithmetic })
    expect(found[0]?.code).toBe('batch-too-small')
    expect(found[0]?.sentence).toContain('31 %')
  })

  test('memory-bound: one column of a large layer', () => {
    expect(codes(input(4096, 4096, 1))).toEqual(['memory-bound'])
  })

  test('padding: tiles of 5 rows are padded to 8', () => {
    // 60 % more work: the product takes 1.6 times what it should.
    const made = input(320, 512, 64, { vector: 5 })
    expect(codes({ ...made, sparseMilliseconds: 1.6 * made.sparseMilliseconds })).toContain('padding')
  })

  test('gather-bound: tiles of 4 rows', () => {
    expect(codes(input(512, 2048, 128, { vector: 4 }))).toContain('gather-bound')
    expect(codes(input(512, 2048, 128, { vector: 128 }))).not.toContain('gather-bound')
  })

  test('dense simply better: 3 of every 4 kept, against a dense product at 95 % of the peak', () => {
    const made = input(2048, 2048, 256, { keptColumns: 2048, n: 3, m: 4 })
    const dense = ((2 * 2048 * 2048 * 256) / ceilings.multiplyAdd / 0.95) * 1e3
    expect(codes({ ...made, sparseMilliseconds: 1.05 * dense, denseMilliseconds: dense })).toContain('dense-simply-better')
  })
})

test('a product that gains what it should has no cause named', () => {
  expect(diagnose(input(4096, 4096, 256))).toEqual([])
})
