/** Masks by sorting, slow and plain, for tests of what happens after pruning. 1 = kept; at equal |w| the higher index stays. */

/** n of every m columns in `columns` (all columns without it), per row. */
export function nmMask(weights: Float32Array, rows: number, cols: number, n: number, m: number, columns = range(cols)): Uint8Array {
  const mask = new Uint8Array(rows * cols)
  for (let row = 0; row < rows; row++) {
    for (let group = 0; group + m <= columns.length; group += m) {
      const places = columns.slice(group, group + m).map((col) => row * cols + col)
      places.sort((a, b) => Math.abs(weights[b]!) - Math.abs(weights[a]!) || b - a)
      for (const place of places.slice(0, n)) mask[place] = 1
    }
  }
  return mask
}

/** HiNM without permutation (arXiv 2407.20496, section 3): in each tile of V rows the columns of largest sum, then 2:4. */
export function hinmMask(weights: Float32Array, rows: number, cols: number, vector: number, vectorSparsity: number): Uint8Array {
  const mask = new Uint8Array(rows * cols)
  const keep = 4 * Math.floor((cols * (1 - vectorSparsity)) / 4)
  for (let top = 0; top < rows; top += vector) {
    const height = Math.min(vector, rows - top)
    const tile = weights.subarray(top * cols, (top + height) * cols)
    const sums = range(cols).map((col) => range(height).reduce((sum, row) => sum + Math.abs(tile[row * cols + col]!), 0))
    const columns = range(cols)
      .sort((a, b) => sums[b]! - sums[a]! || b - a)
      .slice(0, keep)
      .sort((a, b) => a - b)
    mask.set(nmMask(tile, height, cols, 2, 4, columns), top * cols)
  }
  return mask
}

export const applied = (weights: Float32Array, mask: Uint8Array): Float32Array => weights.map((weight, i) => (mask[i] ? weight : 0))

export const maskBits = (mask: Uint8Array): Uint8Array => {
  const bits = new Uint8Array(Math.ceil(mask.length / 8))
  mask.forEach((kept, i) => {
    if (kept) bits[i >> 3] = bits[i >> 3]! | (1 << (i & 7))
  })
  return bits
}

const range = (length: number): number[] => Array.from({ length }, (_, i) => i)
