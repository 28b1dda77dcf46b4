import { describe, expect, it } from 'vitest'
import { strategies } from '../contract/strategy.ts'
import { searchOrder, type SearchRequest } from './permutation.ts'
import { buildMask, measureQuality } from './sparsity.ts'

/** Deterministic values in [0, 1): the fractional parts of multiples of the golden ratio, squared. */
const values = (count: number): Float32Array => Float32Array.from({ length: count }, (_, i) => ((i * 0.618034) % 1) ** 2)

function request(rows: number, cols: number): SearchRequest {
  return {
    scores: { data: values(rows * cols), rows, cols },
    pattern: { kind: 'hinm', vector: 8, vectorSparsity: 0.5, n: 2, m: 4, block: 0, sparsity: 0 },
    strategy: 'gyro',
    budget: 0,
    seed: 1,
    layer: 0,
    threads: 2,
  }
}

describe('the permutation face of the native module', () => {
  it('finds an order that keeps more than none, and whose trace says what the mask keeps', async () => {
    const asked = request(64, 50)
    const order = await searchOrder(asked)
    const none = await searchOrder({ ...asked, strategy: 'none' })
    expect(order).toMatchObject({ rows: 64, cols: 50, strategy: 'gyro', reason: null, vector: 8, keptColumns: 24 })
    expect(Array.from(order.outputOrder).sort((a, b) => a - b)).toEqual(Array.from({ length: 64 }, (_, i) => i))
    const mask = await buildMask(asked.scores, asked.pattern, order)
    const quality = await measureQuality(asked.scores, asked.pattern, order, mask)
    expect(quality.keptSaliency).toBeCloseTo(order.trace.kept.at(-1)!, 9)
    expect(order.trace.kept.at(-1)).toBeGreaterThan(none.trace.kept.at(-1)!)
    expect(quality.efficacy).toBeGreaterThan(0)
  })

  it('every strategy of the contract is known, and answers with its own name or with none and a reason', async () => {
    for (const { id } of strategies) {
      const order = await searchOrder({ ...request(32, 32), strategy: id, budget: 2000 })
      if (order.reason === null) expect(order.strategy).toBe(id)
      else expect(order.strategy).toBe('none')
    }
  })

  it('rejects an unknown strategy and a saliency that is not finite', async () => {
    await expect(searchOrder({ ...request(8, 8), strategy: 'best' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', message: /"best" is not known/ })
    const asked = request(8, 8)
    asked.scores.data[9] = Infinity
    await expect(searchOrder(asked)).rejects.toMatchObject({ code: 'NOT_FINITE', message: /row 1, column 1 is infinite/ })
  })

  it('rejects with CANCELLED when it is aborted', async () => {
    const abort = new AbortController()
    const running = searchOrder({ ...request(1024, 2048), strategy: 'gyro' }, { signal: abort.signal })
    abort.abort()
    await expect(running).rejects.toMatchObject({ code: 'CANCELLED' })
  })
})
