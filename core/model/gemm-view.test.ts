import { describe, expect, it } from 'vitest'
import { fromView, toView } from './gemm-view.ts'
import type { Layout } from './gemm-view.ts'

const counting = (length: number): Float32Array => Float32Array.from({ length }, (_, i) => i)

describe('the GEMM view of a stored weight', () => {
  it('transposes a MatMul weight [in, out]', () => {
    // stored 2×3 (in × out): rows 0 1 2 / 3 4 5; viewed 3×2 (out × in): 0 3 / 1 4 / 2 5
    expect([...toView(counting(6), 3, 2, { kind: 'columns' })]).toEqual([0, 3, 1, 4, 2, 5])
  })

  it('puts the channels of a convolution innermost', () => {
    // stored 1×2×(1×3): channel 0 is 0 1 2, channel 1 is 3 4 5; viewed with K over (window, channel)
    expect([...toView(counting(6), 1, 6, { kind: 'window', window: 3 })]).toEqual([0, 3, 1, 4, 2, 5])
  })

  it('comes back to the stored order for every layout', () => {
    const layouts: Layout[] = [{ kind: 'rows' }, { kind: 'columns' }, { kind: 'window', window: 3 }]
    const stored = counting(4 * 12)
    for (const layout of layouts) expect([...fromView(toView(stored, 4, 12, layout), 4, 12, layout)]).toEqual([...stored])
  })

  it('gives a copy that does not share memory', () => {
    const stored = counting(4)
    toView(stored, 2, 2, { kind: 'rows' })[0] = 9
    expect(stored[0]).toBe(0)
  })
})
