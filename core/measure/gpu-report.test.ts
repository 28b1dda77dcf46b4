import { expect, test } from 'vitest'
import { assembleReport, withFloors, type BenchDocument } from './gpu-report.ts'

const ceilings = { tensor: 800e12, memory: 4e12, cache: 8e12, shared: 30e12 }
const bench: BenchDocument = {
  rows: 4096,
  cols: 4096,
  n: 256,
  baselines: [
    { name: 'cuBLASLt 130000', medianMilliseconds: 0.02 },
    { name: 'cuSPARSELt 701', medianMilliseconds: 0.015 },
  ],
  products: [
    { format: 'hinm', vector: 128, keptColumns: 0.5, medianMilliseconds: 0.01 },
    { format: 'hinm', vector: 64, keptColumns: 0.5, medianMilliseconds: null },
  ],
}
const device = { facts: { multiprocessors: { value: 132 }, clockMhz: { value: 1980 } } }
const bandwidth = { gather: [{ bytesPerSecond: 6e12 }, { bytesPerSecond: 7e12 }], copy: { bytesPerSecond: 4.2e12 } }
const done = (name: string, document: unknown) => ({ name, status: 'done', seconds: 1, document })

test('every product has its floor, what binds it, and the ratio to the fastest dense product', () => {
  const [first, second] = withFloors(bench, ceilings).products
  expect(first?.speedup).toBeCloseTo(2, 12)
  expect(first?.floorBound).toBe('cache')
  // Gathers (4096/128)·2048·256·2 B, weights 4096·1024·2.25 B and (4096/128)·2048·4 B, outputs 4096·256·2 B, at 8 TB/s.
  expect(first?.floorMilliseconds).toBeCloseTo((32 * 2048 * 256 * 2 + 4096 * 1024 * 2.25 + 32 * 2048 * 4 + 4096 * 256 * 2) / 8e9, 9)
  expect(second?.speedup).toBeNull()
  expect(second?.shareOfFloor).toBeNull()
})

test('ceilings are what was measured: the largest gather, the copy, the fastest dense product', () => {
  const report = assembleReport([done('device', device), done('bandwidth', bandwidth), done('bench-4096x4096x256', bench)], 'now')
  expect(report.status).toBe('done')
  // 2·4096·4096·256 FLOP in 20 µs; 132 multiprocessors · 1980 MHz · 128 bytes.
  expect(report.ceilings).toEqual({ tensor: (2e3 * 4096 * 4096 * 256) / 0.02, memory: 4.2e12, cache: 7e12, shared: 132 * 1980e6 * 128 })
  expect(report.bench[0]?.products[0]?.floorMilliseconds).toBeGreaterThan(0)
})

test('a failed step leaves the others, and what is missing is named', () => {
  const failed = { name: 'bandwidth', status: 'failed', seconds: 1, error: 'The GPU failed.' }
  const report = assembleReport([done('device', device), failed, done('bench-4096x4096x256', bench)], 'now')
  expect(report.status).toBe('incomplete')
  expect(report.ceilings).toBeNull()
  expect(report.ceilingsReason).toBe('not measured: memory, cache')
  expect(report.bench[0]?.products[0]?.speedup).toBeCloseTo(2, 12)
  expect(report.bench[0]?.products[0]?.floorMilliseconds).toBeNull()
})

test('no device is a state with its sentence, not a failure', () => {
  const report = assembleReport([{ name: 'device', status: 'failed', code: 'DEVICE_UNAVAILABLE', seconds: 0, error: 'No NVIDIA driver was found.' }], 'now')
  expect(report).toMatchObject({ status: 'no device', reason: 'No NVIDIA driver was found.', bench: [] })
})
