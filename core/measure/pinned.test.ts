import { describe, expect, test } from 'vitest'
import { parseShape } from './bench-pattern.ts'
import type { BenchRow, ShapeReport } from './bench-shape.ts'
import { judge, pin, readPinned } from './pinned.ts'
import { defaultPlan } from './sampling.ts'

function report(low: number, high: number, change: Partial<BenchRow> = {}): ShapeReport {
  const row: BenchRow = {
    backend: 'sparse',
    name: 'kernel',
    pattern: { label: 'hinm 75 % V=64', meaning: '', vector: 64, keptColumns: 32, n: 2, m: 4, valueType: 'float32' },
    disposition: 'measured',
    reason: null,
    info: null,
    callsPerSample: 1,
    settled: true,
    wall: null,
    processor: null,
    blocks: [],
    comparison: { speedup: (low + high) / 2, interval: { low, high, coverage: 0.95 }, verdict: low > 1.01 ? 'faster' : 'unclear', threshold: 0.01 },
    roofline: null,
    diagnoses: [],
    ...change,
  }
  const peaks = { multiplyAdd: 1e11, bandwidth: 1e10, instructionSet: 'AVX2' }
  return {
    shape: parseShape('64x64x8'),
    settings: { threads: 1, seed: 1, caches: 'warm', plan: defaultPlan, baselines: [] },
    rows: [row],
    baseline: 'dense',
    noiseFloor: 0,
    stopped: '',
    peaks: { before: peaks, multiplyAddAfter: peaks.multiplyAdd },
    notes: [],
  }
}

describe('a pinned baseline', () => {
  const pinned = pin([report(2.9, 3.1)])

  test('holds the ratio under shape, threads, caches and pattern, and reads back', () => {
    expect(pinned.speedups).toEqual({ '64x64x8, 1 threads, warm, hinm 75 % V=64': 3 })
    expect(readPinned(JSON.stringify(pinned))).toEqual(pinned)
  })

  test('the same or better is fine', () => {
    expect(judge([report(2.9, 3.1)], pinned)).toEqual({ outcome: 'fine', sentences: [] })
    expect(judge([report(3.9, 4.1)], pinned).outcome).toBe('fine')
  })

  test('wholly below 95 % of it is a regression, across that bound is unclear', () => {
    // 95 % of 3 is 2.85.
    expect(judge([report(2.5, 2.8)], pinned)).toMatchObject({ outcome: 'regression', sentences: [expect.stringContaining('2.65× where 3.00×')] })
    expect(judge([report(2.7, 2.95)], pinned).outcome).toBe('unclear')
  })

  test('a wrong result is a regression even without a pinned value', () => {
    expect(judge([report(9, 10, { disposition: 'incorrect', reason: 'its result is off' })], null).outcome).toBe('regression')
  })

  test('without a pinned value only what is unclear is told', () => {
    expect(judge([report(2, 3)], null).outcome).toBe('fine')
    expect(judge([report(0.9, 1.2)], null).outcome).toBe('unclear')
  })

  test.each(['', 'null', '{}', '{"schema":"hinm-bench-pinned/2","speedups":{}}'])('"%s" is no pinned baseline', (text) => {
    expect(() => readPinned(text)).toThrow('--pin')
  })
})
