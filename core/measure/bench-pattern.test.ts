import { describe, expect, test } from 'vitest'
import { benchPatterns, parseShape } from './bench-pattern.ts'

const shape = parseShape('4096x4096x64')

describe('shapes', () => {
  test('M x K x N', () => {
    expect(shape).toMatchObject({ rows: 4096, cols: 4096, columns: 64 })
  })

  test.each(['4096', '0x1x1', '4096x4096', 'axbxc', '1x2x3x4', '-1x2x3'])('"%s" is refused with an example', (text) => {
    expect(() => parseShape(text)).toThrow('4096x4096x64')
  })
})

describe('patterns', () => {
  test('75 % HiNM keeps half of the columns, then 2 of 4', () => {
    expect(benchPatterns(['hinm'], [0.75], [64], shape)).toEqual([
      expect.objectContaining({ label: 'hinm 75 % V=64', vector: 64, keptColumns: 2048, n: 2, m: 4 }),
    ])
  })

  test('plain 2:4 is one tile of all rows, vectors have no inner selection', () => {
    expect(benchPatterns(['2:4'], [0.5], [64], shape)[0]).toMatchObject({ label: '2:4 (50 %)', vector: 4096, keptColumns: 4096 })
    expect(benchPatterns(['vector'], [0.75], [32], shape)[0]).toMatchObject({ vector: 32, keptColumns: 1024, n: 1, m: 1 })
  })

  test('what has no kernel or no column left is refused with a sentence', () => {
    expect(() => benchPatterns(['unstructured'], [0.5], [64], shape)).toThrow('no sparse kernel')
    expect(() => benchPatterns(['hinm'], [0.99], [64], parseShape('64x16x1'))).toThrow('keeps no column of 16')
    expect(() => benchPatterns(['nonsense'], [0.5], [64], shape)).toThrow('not known')
  })
})
