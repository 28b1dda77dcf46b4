import { describe, expect, it } from 'vitest'
import { metric } from '../../../contract/metric.ts'
import { metricNumber, metricText, metricUnit } from './metric.ts'

describe('a metric on screen', () => {
  it('shows a ratio as the registry asks for it', () => {
    expect(metricUnit('saliency.retained')).toBe('%')
    expect(metricNumber('saliency.retained', 0.98765)).toBe('98.77')
  })

  it('says that a speed-up below 1 is slower', () => {
    expect(metricText('kernel.speedup', metric('kernel.speedup', 0.82))).toBe('0.82× (slower)')
    expect(metricText('kernel.speedup', metric('kernel.speedup', 1.5))).toBe('1.50×')
  })

  it('says in words that nothing was measured, and 0 for a measured 0', () => {
    expect(metricText('accuracy.top1', metric('accuracy.top1', null))).toBe('not measured')
    expect(metricText('accuracy.top1', metric('accuracy.top1', 0))).toBe('0.00 %')
  })
})
