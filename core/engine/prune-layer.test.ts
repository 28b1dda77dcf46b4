import { expect, it } from 'vitest'
import { kernelMetrics } from './prune-layer.ts'

it.each([
  { kernel: 0, dense: 1 },
  { kernel: 0, dense: 0 },
])('a kernel below the resolution of the timer has no speed-up, and says why (%o)', (timing) => {
  const metrics = kernelMetrics(timing)
  expect(metrics['kernel.time']).toEqual({ value: 0, unit: 'ms' })
  expect(metrics['kernel.speedup']).toEqual({ value: null, unit: '×', reason: 'the kernel time is below the resolution of the timer' })
})

it('a kernel that is slower than dense has a speed-up below 1', () => {
  expect(kernelMetrics({ kernel: 4, dense: 3 })['kernel.speedup']).toEqual({ value: 0.75, unit: '×' })
})
