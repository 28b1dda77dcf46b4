import { AppError } from '../../contract/error.ts'
import { describePattern, expandPattern, patternName, type Pattern } from '../../contract/pattern.ts'
import type { ProductShape, SparsePattern } from './work.ts'

/** A pattern that a benchmark can time on a random layer: it has a sparse kernel. */
export interface BenchPattern extends SparsePattern {
  /** As typed and printed, e.g. "hinm 75 % V=64". */
  label: string
  /** The pattern in words. */
  meaning: string
  valueType: 'float32' | 'bfloat16'
}

export interface BenchShape extends ProductShape {
  /** As typed, e.g. "4096x4096x64". */
  label: string
}

/** @throws AppError INVALID_ARGUMENT when the text is no MxKxN. */
export function parseShape(text: string): BenchShape {
  const [rows = 0, cols = 0, columns = 0] = /^\d{1,7}x\d{1,7}x\d{1,7}$/.test(text) ? text.split('x').map(Number) : []
  if (rows < 1 || cols < 1 || columns < 1) {
    throw new AppError('INVALID_ARGUMENT', `The shape "${text}" is not understood; write M x K x N as in 4096x4096x64, each at least 1.`)
  }
  return { label: text, rows, cols, columns }
}

const percent = (share: number): string => `${+(share * 100).toFixed(2)} %`

function selectionOf(pattern: Pattern, { rows, cols }: ProductShape): SparsePattern | null {
  switch (pattern.kind) {
    case 'n:m':
      return { vector: rows, keptColumns: cols, n: pattern.n, m: pattern.m }
    case 'vector':
      return { vector: pattern.vector, keptColumns: Math.floor(cols * (1 - pattern.sparsity)), n: 1, m: 1 }
    case 'hinm':
      return {
        vector: pattern.vector,
        keptColumns: pattern.m * Math.floor((cols * (1 - pattern.vectorSparsity)) / pattern.m + 1e-9),
        n: pattern.n,
        m: pattern.m,
      }
    case 'venom':
      return { vector: pattern.vector, keptColumns: 4 * Math.floor(cols / pattern.block), n: 2, m: 4 }
    default:
      return null
  }
}

function labelOf(pattern: Pattern, { vector, keptColumns, n, m }: SparsePattern, cols: number): string {
  const share = percent(1 - (keptColumns * n) / (m * cols))
  return pattern.kind === 'n:m' ? `${patternName(pattern)} (${share})` : `${patternName(pattern)} ${share} V=${vector}`
}

/**
 * The patterns that names, total sparsities (fractions) and vector heights stand for.
 * @throws AppError INVALID_ARGUMENT for unknown names, patterns without a sparse kernel, and layers too small for them.
 */
export function benchPatterns(
  names: readonly string[],
  sparsities: readonly number[],
  vectors: readonly number[],
  shape: BenchShape,
  valueType: BenchPattern['valueType'] = 'float32',
): BenchPattern[] {
  return names
    .flatMap((name) => expandPattern(name, sparsities, vectors))
    .map((pattern) => {
      const selection = selectionOf(pattern, shape)
      if (!selection) {
        throw new AppError(
          'INVALID_ARGUMENT',
          `The pattern "${patternName(pattern)}" has no sparse kernel to time; choose hinm, vector, venom or any n:m such as 2:4.`,
        )
      }
      if (selection.keptColumns < selection.m) {
        throw new AppError(
          'INVALID_ARGUMENT',
          `The pattern "${patternName(pattern)}" keeps no column of ${shape.cols}; choose a lower sparsity or a wider layer.`,
        )
      }
      const label = labelOf(pattern, selection, shape.cols)
      return { ...selection, label: valueType === 'float32' ? label : `${label} bfloat16`, meaning: describePattern(pattern), valueType }
    })
}
