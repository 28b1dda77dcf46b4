import { expect, it } from 'vitest'
import { median } from './median.ts'

it.each([
  ['no values', [], null],
  ['one', [3], 3],
  ['an odd count', [9, 1, 5], 5],
  ['an even count: the mean of 2 and 4', [8, 2, 4, 1], 3],
  ['numbers and not their digits', [10, 9, 100], 10],
])('is right for %s', (_name, values, expected) => {
  expect(median(values)).toBe(expected)
})

it('leaves the samples in their order', () => {
  const samples = new Float64Array([3, 1, 2])
  median(samples)
  expect([...samples]).toEqual([3, 1, 2])
})
