import type { Pattern } from '../../contract/pattern.ts'
import type { PatternParameters } from '../../native/sparsity.ts'

const none: PatternParameters = { kind: 'dense', vector: 0, vectorSparsity: 0, n: 0, m: 0, block: 0, sparsity: 0 }

/** The pattern as the native side takes it: plain numbers, 0 where a kind has no such field. */
export const nativePattern = (pattern: Pattern): PatternParameters => ({ ...none, ...pattern })

/**
 * Why a layer of `rows` output and `cols` input channels cannot take the pattern, in one sentence with the nearest legal
 * value; null when it can. The native side refuses the same ones. A layer with fewer rows than V is not refused: it is
 * one tile that is shorter, like the last tile of any layer whose rows are not a multiple of V.
 */
export function refusal(pattern: Pattern, rows: number, cols: number): string | null {
  if (rows < 1 || cols < 1) return `The layer is empty (${rows} × ${cols}).`
  switch (pattern.kind) {
    case 'dense':
    case 'unstructured':
    case 'row-wise':
      return null
    case 'n:m':
      return wholeGroups(cols, pattern.m, `${pattern.n}:${pattern.m}`)
    case 'venom':
      return wholeGroups(cols, pattern.block, `V:N:M with blocks of ${pattern.block}`)
    case 'vector':
      return keptOf(cols, pattern.sparsity) > 0 ? null : noColumn(pattern.sparsity, cols, 1)
    case 'hinm':
      if (cols < pattern.m) return tooNarrow(cols, pattern.m)
      return keptOf(cols, pattern.vectorSparsity) >= pattern.m ? null : noColumn(pattern.vectorSparsity, cols, pattern.m)
    case 'three-region':
      return keptOf(cols, pattern.sparsity) > 0 ? null : noColumn(pattern.sparsity, cols, 1)
  }
}

/** The same rounding as the native side: the small term forgives decimal shares such as 0.9. */
const keptOf = (count: number, sparsity: number): number => Math.floor(count * (1 - sparsity) + 1e-6)

const tooNarrow = (cols: number, width: number): string => `The layer has ${cols} input channels, fewer than one group of ${width}; the least is ${width}.`

function wholeGroups(cols: number, width: number, name: string): string | null {
  if (cols % width === 0) return null
  if (cols < width) return tooNarrow(cols, width)
  return `The layer has ${cols} input channels, which is not a multiple of ${width}; ${name} needs one, such as ${Math.ceil(cols / width) * width}.`
}

function noColumn(sparsity: number, cols: number, least: number): string {
  const most = Math.floor((1 - least / cols) * 1e4) / 1e4
  return `A sparsity of ${sparsity} over columns keeps fewer than ${least} of ${cols} columns in a tile; choose at most ${most}.`
}
