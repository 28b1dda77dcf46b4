import { expect, test } from 'vitest'
import { finiteOnly } from './finite.ts'

test('numbers without a word in JSON become null, all else stays', () => {
  expect(finiteOnly({ a: [1, NaN, { b: -Infinity, c: 'NaN', d: null, e: true }] })).toEqual({ a: [1, null, { b: null, c: 'NaN', d: null, e: true }] })
  expect(Object.is(finiteOnly(-0), -0)).toBe(true)
})
