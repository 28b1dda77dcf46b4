import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { paretoFront, type Better, type PlanePoint } from './pareto.ts'

function beaten(point: PlanePoint, points: readonly PlanePoint[], betterX: Better, betterY: Better): boolean {
  const x = betterX === 'up' ? 1 : -1
  const y = betterY === 'up' ? 1 : -1
  return points.some((other) => x * other.x >= x * point.x && y * other.y >= y * point.y && (other.x !== point.x || other.y !== point.y))
}

describe('the Pareto front', () => {
  it('keeps exactly the points that no other beats, whichever way is better', () => {
    const point = fc.record({ x: fc.integer({ min: 0, max: 6 }), y: fc.integer({ min: 0, max: 6 }) })
    const better = fc.constantFrom<Better>('up', 'down')
    fc.assert(
      fc.property(fc.array(point, { maxLength: 20 }), better, better, (points, betterX, betterY) => {
        const expected = points.filter((candidate) => !beaten(candidate, points, betterX, betterY))
        const front = paretoFront(points, betterX, betterY)
        expect(front).toHaveLength(expected.length)
        expect(new Set(front)).toEqual(new Set(expected))
      }),
    )
  })

  it('is sorted by x, so that a line can follow it', () => {
    const front = paretoFront(
      [
        { x: 3, y: 1 },
        { x: 1, y: 3 },
        { x: 2, y: 2 },
      ],
      'up',
      'up',
    )
    expect(front.map((point) => point.x)).toEqual([1, 2, 3])
  })
})
