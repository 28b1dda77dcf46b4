/** A point of the plane with the direction in which each axis is better. */
export interface PlanePoint {
  x: number
  y: number
}

export type Better = 'up' | 'down'

/**
 * The points that no other point beats on both axes (equal on one and better on the other beats, too), sorted by x.
 * Sorting makes it O(n log n): walking from the best x on, a point stays if its y is better than all before.
 */
export function paretoFront<T extends PlanePoint>(points: readonly T[], betterX: Better, betterY: Better): T[] {
  const signX = betterX === 'up' ? 1 : -1
  const signY = betterY === 'up' ? 1 : -1
  const sorted = points.toSorted((a, b) => signX * (b.x - a.x) || signY * (b.y - a.y))
  const front: T[] = []
  let best = Number.NEGATIVE_INFINITY
  let bestX = Number.NaN
  for (const point of sorted) {
    const y = signY * point.y
    if (y > best || (y === best && point.x === bestX)) {
      front.push(point)
      best = y
      bestX = point.x
    }
  }
  return front.sort((a, b) => a.x - b.x)
}
