import { describe, expect, it } from 'vitest'
import { fuzz } from './fuzz.ts'

describe('readers on damaged files', () => {
  it('open or refuse 3,000 mutations of valid files with a sentence, soon and within memory', async () => {
    const report = await fuzz(1, 3000)
    expect(report.faults).toEqual([])
    expect(report.inputs).toBe(3000)
    // a mutation that hits a value leaves a valid file, one that hits a length does not: both must occur
    expect(report.opened).toBeGreaterThan(100)
    expect(report.refused).toBeGreaterThan(100)
  })
})
