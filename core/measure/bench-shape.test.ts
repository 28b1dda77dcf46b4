import { expect, test } from 'vitest'
import { benchPatterns, parseShape } from './bench-pattern.ts'
import { benchShape, denseBackends } from './bench-shape.ts'
import { benchTable } from './bench-table.ts'
import { defaultPlan } from './sampling.ts'

const plan = { ...defaultPlan, samplesPerBlock: 2, sampleMilliseconds: 0.05, fewestBlocks: 2, mostBlocks: 3, limitSeconds: 5, settleSeconds: 0.05 }

test('every contestant is verified in its own process, sampled in turn, and judged against the fastest dense one', async () => {
  const shape = parseShape('64x128x16')
  const patterns = benchPatterns(['hinm', '2:4', 'vector'], [0.75], [32], shape)
  const report = await benchShape(shape, patterns, { threads: 1, seed: 3, caches: 'warm', plan, baselines: denseBackends })
  expect(report.rows.map(({ backend }) => backend)).toEqual(['openblas', 'onednn', 'onnxruntime', 'own', 'sparse', 'sparse', 'sparse'])
  for (const row of report.rows) {
    // A library may be missing on this machine; this program's own products never are.
    if (row.disposition === 'absent') {
      expect(['openblas', 'onednn', 'onnxruntime']).toContain(row.backend)
      expect(row.reason).not.toBe('')
      continue
    }
    expect(row.info?.check.passed, `${row.name}: ${row.reason ?? ''}`).toBe(true)
    expect(row.disposition).toBe('measured')
    expect(row.wall?.count).toBe(row.blocks.length * plan.samplesPerBlock)
    expect(row.blocks.length).toBeGreaterThanOrEqual(plan.fewestBlocks)
    expect(row.wall?.median).toBeGreaterThan(0)
  }
  expect(report.rows.filter(({ pattern }) => pattern !== null).every(({ comparison }) => comparison !== null)).toBe(true)
  expect(report.rows.find(({ name }) => name === report.baseline)?.comparison).toBeNull()
  expect(report.stopped).not.toBe('')
  expect(report.peaks.before.multiplyAdd).toBeGreaterThan(1e9)
  expect(benchTable(report)).toContain('hinm 75 % V=32')
}, 60_000)

test('cold and rotating runs are timed too', async () => {
  const shape = parseShape('32x64x4')
  const patterns = benchPatterns(['hinm'], [0.75], [16], shape)
  for (const caches of ['cold', 'rotating'] as const) {
    const report = await benchShape(shape, patterns, {
      threads: 1,
      seed: 3,
      caches,
      plan: { ...plan, mostBlocks: 2 },
      baselines: caches === 'cold' ? ['own', 'onnxruntime'] : ['own'],
    })
    const sparse = report.rows.find(({ pattern }) => pattern !== null)
    expect(sparse?.disposition).toBe('measured')
    expect(sparse?.info?.operandSets).toBe(caches === 'cold' ? 1 : 64)
    if (caches === 'cold') {
      expect(report.rows[1]).toMatchObject({ backend: 'onnxruntime', disposition: 'absent' })
      expect(report.rows[1]?.reason).toContain('warm only')
    }
  }
}, 60_000)

test('an aborted benchmark ends its processes and throws', async () => {
  const shape = parseShape('64x64x4')
  const patterns = benchPatterns(['2:4'], [0.5], [16], shape)
  const endless = { ...plan, mostBlocks: 1e9, limitSeconds: 1e9, precision: 0 }
  await expect(
    benchShape(shape, patterns, { threads: 1, seed: 3, caches: 'warm', plan: endless, baselines: ['own'] }, AbortSignal.timeout(1500)),
  ).rejects.toThrow()
}, 60_000)
