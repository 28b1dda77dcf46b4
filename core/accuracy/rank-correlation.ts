/**
 * Spearman's rank correlation of two lists, with mean ranks for equal values: does one order predict the other?
 * Null where it is not defined: fewer than three pairs, or all values of a list equal.
 */
export function rankCorrelation(first: readonly number[], second: readonly number[]): number | null {
  if (first.length < 3) return null
  const [a, b] = [ranks(first), ranks(second)]
  const middle = (first.length + 1) / 2
  const product = (x: readonly number[], y: readonly number[]): number => x.reduce((sum, value, i) => sum + (value - middle) * (y[i]! - middle), 0)
  const scale = Math.sqrt(product(a, a) * product(b, b))
  return scale === 0 ? null : product(a, b) / scale
}

function ranks(values: readonly number[]): number[] {
  return values.map((value) => {
    const below = values.filter((other) => other < value).length
    const equal = values.filter((other) => other === value).length
    return below + (equal + 1) / 2
  })
}
