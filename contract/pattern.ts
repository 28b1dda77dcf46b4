import * as v from 'valibot'
import { AppError } from './error.ts'

/**
 * Sparsity patterns as data (the science: HiNM arXiv 2407.20496 section 3; VENOM arXiv 2310.02065; 2:4 arXiv
 * 2104.08378). `n:m` is always "n kept of m". Shares are fractions of 1. `vector` is V, the height of a tile in
 * output channels.
 */
const Share = v.pipe(v.number(), v.minValue(0), v.ltValue(1))
const Count = v.pipe(v.number(), v.integer(), v.minValue(1))
const Height = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65536))

export const Pattern = v.variant('kind', [
  v.object({ kind: v.literal('dense') }),
  /** The global top-k of the saliency. */
  v.object({ kind: v.literal('unstructured'), sparsity: Share }),
  /** The same number kept in every output channel. */
  v.object({ kind: v.literal('row-wise'), sparsity: Share }),
  v.object({ kind: v.literal('n:m'), n: Count, m: Count }),
  /** Out-vector-wise: whole column vectors of V rows. */
  v.object({ kind: v.literal('vector'), vector: Height, sparsity: Share }),
  /** V:N:M: 4 columns of every `block`, then 2:4 among them. */
  v.object({ kind: v.literal('venom'), vector: Height, block: Count }),
  /** Column vectors first (`vectorSparsity` of them pruned), then n:m among the survivors. */
  v.object({ kind: v.literal('hinm'), vector: Height, vectorSparsity: Share, n: Count, m: Count }),
  /** FlexHiNM: the columns of a tile are dense, n:m or empty. `sparsity` is the total that is asked for. */
  v.object({ kind: v.literal('three-region'), vector: Height, sparsity: Share, n: Count, m: Count }),
])
export type Pattern = v.InferOutput<typeof Pattern>

/** Names as they are typed and printed: every kind without parameters of its own, and any n:m such as `2:4`. */
export const patternNames = ['dense', 'unstructured', 'row-wise', '2:4', '1:4', 'vector', 'venom', 'hinm', 'three-region'] as const

export const patternName = (pattern: Pattern): string => {
  if (pattern.kind === 'n:m') return `${pattern.n}:${pattern.m}`
  if (pattern.kind === 'hinm' && (pattern.n !== 2 || pattern.m !== 4)) return `hinm-${pattern.n}:${pattern.m}`
  return pattern.kind
}

/** The share of weights that the pattern prunes when every dimension divides evenly; what was asked for. */
export function askedSparsity(pattern: Pattern): number {
  switch (pattern.kind) {
    case 'dense':
      return 0
    case 'n:m':
      return 1 - pattern.n / pattern.m
    case 'venom':
      return 1 - 2 / pattern.block
    case 'hinm':
      return 1 - ((1 - pattern.vectorSparsity) * pattern.n) / pattern.m
    default:
      return pattern.sparsity
  }
}

export const vectorOf = (pattern: Pattern): number | null => ('vector' in pattern ? pattern.vector : null)

const nmName = /^(?:(hinm)-)?(\d{1,3}):(\d{1,3})$/

/**
 * The patterns that a name, a list of total sparsities (fractions) and a list of vector heights stand for.
 * @throws AppError INVALID_ARGUMENT naming the value, what is allowed and what to do.
 */
export function expandPattern(name: string, sparsities: readonly number[], vectors: readonly number[]): Pattern[] {
  const text = name.trim().toLowerCase()
  const nm = nmName.exec(text)
  if (nm && !nm[1]) return [nmPattern(Number(nm[2]), Number(nm[3]))]
  const inner = nm ? nmPattern(Number(nm[2]), Number(nm[3])) : { n: 2, m: 4 }
  switch (nm ? 'hinm' : text) {
    case 'dense':
      return [{ kind: 'dense' }]
    case 'unstructured':
      return sparsities.map((sparsity) => ({ kind: 'unstructured', sparsity }))
    case 'row-wise':
      return sparsities.map((sparsity) => ({ kind: 'row-wise', sparsity }))
    case 'vector':
      return grid(sparsities, vectors, (sparsity, vector) => ({ kind: 'vector', vector, sparsity }))
    case 'venom':
      return grid(sparsities, vectors, (sparsity, vector) => ({ kind: 'venom', vector, block: venomBlock(sparsity) }))
    case 'three-region':
      return grid(sparsities, vectors, (sparsity, vector) => ({ kind: 'three-region', vector, sparsity, n: 2, m: 4 }))
    case 'hinm':
      return grid(sparsities, vectors, (sparsity, vector) => hinmPattern(sparsity, vector, inner.n, inner.m))
    default:
      throw new AppError('INVALID_ARGUMENT', `The pattern "${name}" is not known; allowed are ${patternNames.join(', ')} and any n:m such as 2:8.`)
  }
}

function grid(sparsities: readonly number[], vectors: readonly number[], make: (sparsity: number, vector: number) => Pattern): Pattern[] {
  return vectors.flatMap((vector) => sparsities.map((sparsity) => make(sparsity, vector)))
}

function nmPattern(n: number, m: number): Extract<Pattern, { kind: 'n:m' }> {
  if (n < 1 || m < 2 || n >= m || m > 64) {
    throw new AppError('INVALID_ARGUMENT', `The pattern "${n}:${m}" is out of range; n:m keeps n of every m columns, so choose 1 ≤ n < m ≤ 64.`)
  }
  return { kind: 'n:m', n, m }
}

/** Total sparsity t = 1 − (1 − s_v)·n/m, solved for s_v (HiNM section 3). */
function hinmPattern(sparsity: number, vector: number, n: number, m: number): Pattern {
  const least = 1 - n / m
  if (sparsity < least - 1e-9) {
    throw new AppError(
      'INVALID_ARGUMENT',
      `HiNM with ${n}:${m} inside prunes at least ${least * 100} %, but ${sparsity * 100} % was asked for; ask for ${least * 100} % or more.`,
    )
  }
  return { kind: 'hinm', vector, vectorSparsity: Math.max(0, 1 - ((1 - sparsity) * m) / n), n, m }
}

/** VENOM keeps 2 of every `block` columns, so only the sparsities 1 − 2/block exist. */
function venomBlock(sparsity: number): number {
  const block = Math.round(2 / (1 - sparsity))
  if (block < 4 || Math.abs(1 - 2 / block - sparsity) > 1e-6) {
    const near = Math.max(4, block)
    throw new AppError(
      'INVALID_ARGUMENT',
      `V:N:M has no block width for ${sparsity * 100} %; the nearest sparsity is ${((1 - 2 / near) * 100).toFixed(2)} % (2 of every ${near} kept).`,
    )
  }
  return block
}

/** The pattern in words, as the app shows it. */
export function describePattern(pattern: Pattern): string {
  switch (pattern.kind) {
    case 'dense':
      return 'dense'
    case 'unstructured':
      return 'unstructured, the largest saliencies of the whole matrix kept'
    case 'row-wise':
      return 'unstructured, the same number kept in every output channel'
    case 'n:m':
      return `${pattern.n} of every ${pattern.m} kept`
    case 'vector':
      return `column vectors of ${pattern.vector} output channels`
    case 'venom':
      return `4 of every ${pattern.block} columns per tile of ${pattern.vector}, then 2 of every 4 kept`
    case 'hinm':
      return `column vectors of ${pattern.vector} output channels, then ${pattern.n} of every ${pattern.m} kept`
    case 'three-region':
      return `columns of a tile of ${pattern.vector} dense, ${pattern.n} of every ${pattern.m} kept, or empty`
  }
}
