import { describe, expect, it } from 'vitest'
import type { Pattern } from '../../contract/pattern.ts'
import { buildMask } from '../../native/sparsity.ts'
import { nativePattern, refusal } from './native-pattern.ts'

const hinm = (vector: number, vectorSparsity: number): Pattern => ({ kind: 'hinm', vector, vectorSparsity, n: 2, m: 4 })

describe('the pattern as plain numbers', () => {
  it('keeps the fields of its kind and sets the others to 0', () => {
    expect(nativePattern(hinm(32, 0.5))).toEqual({ kind: 'hinm', vector: 32, vectorSparsity: 0.5, n: 2, m: 4, block: 0, sparsity: 0 })
    expect(nativePattern({ kind: 'unstructured', sparsity: 0.75 })).toEqual({
      kind: 'unstructured',
      vector: 0,
      vectorSparsity: 0,
      n: 0,
      m: 0,
      block: 0,
      sparsity: 0.75,
    })
  })
})

describe('refusals', () => {
  it('takes a layer that is shorter than a tile, and one whose columns are no whole groups where the pattern chooses columns', () => {
    expect(refusal(hinm(32, 0.5), 10, 256)).toBeNull()
    expect(refusal(hinm(32, 0.5), 64, 257)).toBeNull()
  })

  it('names the nearest legal value', () => {
    expect(refusal({ kind: 'n:m', n: 2, m: 4 }, 8, 10)).toBe('The layer has 10 input channels, which is not a multiple of 4; 2:4 needs one, such as 12.')
    expect(refusal(hinm(4, 0.5), 8, 3)).toBe('The layer has 3 input channels, fewer than one group of 4; the least is 4.')
    expect(refusal(hinm(4, 0.8), 8, 16)).toBe('A sparsity of 0.8 over columns keeps fewer than 4 of 16 columns in a tile; choose at most 0.75.')
    expect(refusal({ kind: 'n:m', n: 2, m: 4 }, 8, 2)).toBe('The layer has 2 input channels, fewer than one group of 4; the least is 4.')
  })

  it('agrees with the native side on every small shape', async () => {
    const patterns: Pattern[] = [
      { kind: 'n:m', n: 2, m: 4 },
      hinm(4, 0.5),
      hinm(2, 0.9),
      { kind: 'vector', vector: 4, sparsity: 0.75 },
      { kind: 'venom', vector: 4, block: 8 },
      { kind: 'three-region', vector: 2, sparsity: 0.75, n: 2, m: 4 },
      { kind: 'unstructured', sparsity: 0.5 },
      { kind: 'row-wise', sparsity: 0.5 },
      { kind: 'dense' },
    ]
    for (const pattern of patterns) {
      for (let cols = 1; cols <= 12; cols++) {
        const rows = 5
        const built = await buildMask({ data: new Float32Array(rows * cols).fill(1), rows, cols }, nativePattern(pattern), null).then(
          () => true,
          () => false,
        )
        expect({ pattern, cols, built }).toEqual({ pattern, cols, built: refusal(pattern, rows, cols) === null })
      }
    }
  })
})
