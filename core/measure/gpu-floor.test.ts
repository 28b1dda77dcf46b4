import { describe, expect, test } from 'vitest'
import { denseFloor, h200, sparseFloor, type FloorBound, type FloorShape } from './gpu-floor.ts'

const bold = h200(9e12)
const cautious = h200(5.5e12)
const shape = (rows: number, cols: number, columns: number): FloorShape => ({ rows, cols, columns })
const microseconds = (value: number): number => Math.round(value * 1e4) / 10

/** Shape, dense µs, V, kept columns, floor at 9 and at 5.5 TB/s in µs, what binds at 5.5 TB/s. */
const table: [FloorShape, number, number, number, number, number, FloorBound][] = [
  [shape(4096, 4096, 16), 7.9, 64, 0.5, 2.4, 2.6, 'cache'],
  [shape(4096, 4096, 16), 7.9, 128, 0.5, 2.3, 2.3, 'memory'],
  [shape(4096, 4096, 64), 8.0, 64, 0.25, 1.5, 2.5, 'cache'],
  [shape(4096, 4096, 256), 10.9, 64, 0.5, 8.8, 14.4, 'cache'],
  [shape(4096, 4096, 256), 10.9, 128, 0.25, 2.6, 4.3, 'cache'],
  [shape(4096, 4096, 1024), 43.6, 128, 0.5, 20.2, 33.0, 'cache'],
  [shape(4096, 4096, 4096), 174.4, 64, 0.125, 38.0, 62.2, 'cache'],
  [shape(768, 768, 4096), 6.1, 128, 0.125, 2.9, 2.9, 'memory'],
  [shape(3072, 768, 4096), 24.5, 64, 0.5, 22.1, 36.1, 'cache'],
  [shape(768, 3072, 4096), 24.5, 128, 0.25, 7.5, 10.0, 'cache'],
  [shape(768, 3072, 128), 1.3, 64, 0.5, 0.7, 1.1, 'cache'],
  [shape(256, 2304, 6272), 9.4, 64, 0.25, 7.5, 7.5, 'memory'],
  [shape(512, 4608, 196), 1.6, 128, 0.5, 0.8, 0.9, 'cache'],
  [shape(2048, 512, 1568), 4.2, 64, 0.5, 4.1, 6.6, 'cache'],
]

describe('floors on an H200', () => {
  test.each(table)('%j, V and kept share as in the published table', (work, dense, vector, kept, fastest, slowest, bound) => {
    const pattern = { kept, vector, twoFour: true }
    expect(microseconds(denseFloor(work, bold))).toBe(dense)
    expect(microseconds(sparseFloor(work, pattern, bold).floor)).toBe(fastest)
    const floor = sparseFloor(work, pattern, cautious)
    expect(microseconds(floor.floor)).toBe(slowest)
    expect(floor.bound).toBe(bound)
  })

  test('plain 2:4 at 128×256 tiles cannot gain 2×, because shared memory or the cache binds before the tensor cores', () => {
    const work = shape(8192, 8192, 8192)
    const floor = sparseFloor(work, { kept: 1, vector: 128, twoFour: true }, bold)
    expect(floor.bound).not.toBe('tensor')
    expect(denseFloor(work, bold) / floor.floor).toBeLessThan(1.5)
  })

  test('vectors without 2:4 need the dense rate', () => {
    // 2·4096·2048·4096 FLOP at 788 TFLOP/s = 87.2 µs.
    const floor = sparseFloor(shape(4096, 4096, 4096), { kept: 0.5, vector: 128, twoFour: false }, bold)
    expect(microseconds(floor.times.tensor)).toBe(87.2)
  })
})
