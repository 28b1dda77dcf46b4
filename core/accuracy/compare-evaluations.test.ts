import { describe, expect, it } from 'vitest'
import { compareEvaluations } from './compare-evaluations.ts'
import type { Judged } from './compare-evaluations.ts'
import { compareLosses } from './compare-losses.ts'
import { compareRightWrong, mcnemar } from './compare-right-wrong.ts'

const settings = { model: 'abc', task: 'fashion-mlp', metric: 'accuracy.top1', batch: 250, threads: 2, seed: 1, excludesCalibration: true }
const judged = (name: string, values: number[], change: Partial<Judged> = {}): Judged => ({ name, settings, values, kind: 'right-wrong', ...change })

/** Pairs of which both are right, only the second, only the first, neither. */
function pairs(both: number, won: number, lost: number, neither: number): [number[], number[]] {
  const fill = (count: number, value: number): number[] => Array<number>(count).fill(value)
  return [
    [...fill(both, 1), ...fill(won, 0), ...fill(lost, 1), ...fill(neither, 0)],
    [...fill(both, 1), ...fill(won, 1), ...fill(lost, 0), ...fill(neither, 0)],
  ]
}

describe("McNemar's exact test", () => {
  it('counts the tail of a fair coin', () => {
    // 8 flips, 1 against 7: 2·(1 + 8)/2^8 = 18/256
    expect(mcnemar(7, 1)).toBeCloseTo(18 / 256, 12)
    expect(mcnemar(1, 7)).toBeCloseTo(18 / 256, 12)
    expect(mcnemar(5, 5)).toBe(1)
    expect(mcnemar(0, 0)).toBe(1)
  })
})

describe('the difference of two accuracies on the same samples', () => {
  it('has the interval that Newcombe prints for his example', () => {
    // Newcombe 1998, Statistics in Medicine 17:2635, table II, method 10: (36, 12, 2, 0) of 50 gives 0.0569 to 0.3404
    const [first, second] = pairs(36, 2, 12, 0)
    const { difference, interval } = compareRightWrong(first, second)
    expect(difference).toBeCloseTo(-20, 10)
    expect(-interval[1] / 100).toBeCloseTo(0.0569, 3)
    expect(-interval[0] / 100).toBeCloseTo(0.3404, 3)
  })

  it('lists which samples flipped', () => {
    const { won, lost } = compareRightWrong([1, 0, 1, 0], [1, 1, 0, 0])
    expect(won).toEqual([1])
    expect(lost).toEqual([2])
  })

  it('is no difference at all between equal results', () => {
    const values = [1, 0, 1, 1, 0, 1]
    const comparison = compareEvaluations(judged('none', values), judged('gyro', values))
    expect(comparison).toMatchObject({ difference: 0, p: 1, measurable: false, sentence: 'No measurable difference at n = 6.' })
  })
})

describe('the difference of two mean losses', () => {
  it('is bracketed by an interval that narrows with the root of the number of samples', () => {
    const losses = (count: number, shift: number): number[] =>
      Array.from({ length: count }, (_, i) => Math.sin(i * 12.9898) + shift + 0.1 * Math.cos(i * 78.233))
    const width = (count: number): number => {
      const { difference, interval } = compareLosses(
        losses(count, 0),
        losses(count, 0).map((loss, i) => loss + 0.5 + Math.sin(i * 3.7)),
        1,
      )
      expect(interval[0]).toBeLessThan(difference)
      expect(interval[1]).toBeGreaterThan(difference)
      return interval[1] - interval[0]
    }
    // the deviation of sin is 0.707: ±1.96·0.707/√n, so 0.139 at 400 and half of it at 1,600
    expect(width(400)).toBeCloseTo(0.139, 1)
    expect(width(400) / width(1600)).toBeCloseTo(2, 0)
  })

  it('is the same for the same seed and another for another', () => {
    const [a, b] = [Array.from({ length: 50 }, (_, i) => i % 7), Array.from({ length: 50 }, (_, i) => (i * 3) % 11)]
    expect(compareLosses(a, b, 5)).toEqual(compareLosses(a, b, 5))
    expect(compareLosses(a, b, 5).interval).not.toEqual(compareLosses(a, b, 6).interval)
  })
})

describe('a comparison of unequal settings', () => {
  it('is refused with the setting that differs', () => {
    const other = judged('b', [1, 0], { settings: { ...settings, batch: 100 } })
    expect(() => compareEvaluations(judged('a', [1, 0]), other)).toThrow(
      'a and b cannot be compared: the batch size differs (250 and 100); run both with equal settings.',
    )
    expect(() => compareEvaluations(judged('a', [1, 0]), judged('b', [1]))).toThrow('they hold 2 and 1 judged samples')
  })

  it('says what the difference is where there is one', () => {
    const [first, second] = pairs(900, 0, 50, 50)
    expect(compareEvaluations(judged('dense', first), judged('2:4', second)).sentence).toMatch(
      /^2:4 is 5 points below dense \(95 % interval -6\.\d+ to -3\.\d+, n = 1000, McNemar p = 1\.78e-15\)\.$/,
    )
  })
})
