import { expect, test } from 'vitest'
import { denseWork, executedWork, gatheredBytes, movedBytes, roofline } from './work.ts'

const shape = { rows: 4096, cols: 4096, columns: 64 }
const pattern = { vector: 64, keptColumns: 2048, n: 2, m: 4 }

test('work is counted on kept weights, dense work on all', () => {
  expect(denseWork(shape)).toBe(2 ** 31)
  // 75 % pruned leaves a quarter.
  expect(executedWork(shape, pattern)).toBe(2 ** 29)
})

test('bytes count weights, activations and output once, and gathering once a tile', () => {
  expect(movedBytes(shape, 1000)).toBe(1000 + 4 * 64 * 8192)
  expect(gatheredBytes(shape, pattern)).toBe(64 * 2048 * 64 * 4)
  // A last tile that is shorter still gathers all of its columns.
  expect(gatheredBytes({ ...shape, rows: 65 }, pattern)).toBe(2 * 2048 * 64 * 4)
})

test('the roofline names what binds and keeps both rates apart', () => {
  const ceilings = { multiplyAdd: 100e9, bandwidth: 10e9 }
  // 1e9 FLOP in 20 ms = 50 GFLOP/s; 1e9 FLOP over 1e7 bytes = 100 FLOP/byte, above the ridge at 10.
  const compute = roofline(shape, 1e9, 1e7, 20, ceilings)
  expect(compute).toMatchObject({ bound: 'arithmetic', ceiling: 100e9, peakShare: 0.5 })
  expect(compute.denseEquivalent).toBeCloseTo(2 ** 31 / 0.02, 0)
  expect(roofline(shape, 1e9, 1e9, 20, ceilings)).toMatchObject({ bound: 'memory', ceiling: 10e9 })
})
