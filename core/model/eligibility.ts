/** The least K for which a layer is pruned: one 16-bit sparse tensor-core step covers 32 input channels. */
const leastColumns = 32

/**
 * Why a weight of M×K is left dense, in words; null when it can be pruned. The rule is the same for every model:
 * groups of 4 must divide K (2:4, arXiv 2104.08378), and a layer with few input channels has nothing to gain.
 */
export function eligibility(rows: number, cols: number): string | null {
  if (rows === 0 || cols === 0) return 'empty: it holds no weights'
  if (cols < leastColumns) return `K = ${cols} is below ${leastColumns}, the least number of input channels that a sparse product uses`
  if (cols % 4 !== 0) return `K = ${cols} is not a multiple of 4; the nearest are ${cols - (cols % 4)} and ${cols + 4 - (cols % 4)}`
  return null
}
