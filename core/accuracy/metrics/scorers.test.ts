import { describe, expect, it } from 'vitest'
import { CentroidScorer } from './centroid.ts'
import { PerplexityScorer } from './perplexity.ts'
import { ctcReader, SequenceScorer, tokenReader, tokenText } from './sequence.ts'
import { SquaredErrorScorer } from './squared-error.ts'
import { TopScorer } from './top-k.ts'

const value = (scores: { metrics: Record<string, { value: number | null } | undefined> }, id: string): number => scores.metrics[id]!.value!

describe('top-k accuracy', () => {
  it('counts the label among the k largest, the lower index first when equal', () => {
    const outputs = { values: [0.1, 0.9, 0, 0.5, 0.5, 0, 0, 0, 1], dims: [3, 3] }
    const score = (labels: number[]): number[] => {
      const scorer = new TopScorer(Int32Array.from(labels), 1)
      scorer.add(outputs, [0, 1, 2])
      return [...scorer.finish().correct]
    }
    expect(score([1, 0, 2])).toEqual([1, 1, 1])
    expect(score([1, 1, 2])).toEqual([1, 0, 1])
    const top5 = new TopScorer(Int32Array.of(5, 0), 5)
    top5.add({ values: [6, 5, 4, 3, 2, 1, 0, 9, 8, 7, 6, 5, 4, 3], dims: [2, 7] }, [0, 1])
    expect([value(top5.finish(), 'accuracy.top1'), value(top5.finish(), 'accuracy.top5')]).toEqual([50, 50])
  })

  it('never counts an output that is not a number as right', () => {
    const scorer = new TopScorer(Int32Array.of(0), 1)
    scorer.add({ values: [NaN, NaN], dims: [1, 2] }, [0])
    expect([...scorer.finish().correct]).toEqual([0])
  })

  it('refuses a label that the output has no class for', () => {
    expect(() => {
      new TopScorer(Int32Array.of(3), 1).add({ values: [1, 2], dims: [1, 2] }, [0])
    }).toThrow('The label 3 of sample 0 is out of range: the output has 2 classes, 0 to 1.')
  })
})

describe('perplexity', () => {
  it('is the number of tokens for uniform logits and near 1 for certain ones', () => {
    const uniform = new PerplexityScorer([Int32Array.of(0, 3)])
    uniform.add({ values: new Float32Array(8), dims: [1, 2, 4] }, [0])
    expect(value(uniform.finish(), 'loss.perplexity')).toBeCloseTo(4, 12)
    const certain = new PerplexityScorer([Int32Array.of(1)])
    certain.add({ values: [0, 1000, 0], dims: [1, 1, 3] }, [0])
    expect(value(certain.finish(), 'loss.perplexity')).toBeCloseTo(1, 12)
    expect(value(certain.finish(), 'accuracy.top1')).toBe(100)
  })

  it('keeps the mean loss of every window in nats', () => {
    const scorer = new PerplexityScorer([Int32Array.of(0), Int32Array.of(1)])
    // −ln(e/(e+1)) and −ln(1/(e+1))
    scorer.add({ values: [1, 0, 1, 0], dims: [2, 1, 2] }, [0, 1])
    expect([...scorer.finish().losses!]).toEqual([expect.closeTo(0.313262, 6), expect.closeTo(1.313262, 6)])
  })
})

describe('word and character accuracy', () => {
  it('count whole sequences and edits', () => {
    const scorer = new SequenceScorer([tokenText([5, 6, 7]), tokenText([5, 6])], tokenReader(3))
    // the first reads 5 6 7, the second 5 9 6: one edit on 5 symbols in all
    scorer.add({ values: [5n, 6n, 7n, 3n, 5n, 9n, 6n, 3n], dims: [2, 4] }, [0, 1])
    const scores = scorer.finish()
    expect([value(scores, 'accuracy.word'), value(scores, 'accuracy.character')]).toEqual([50, 80])
    expect([...scores.losses!]).toEqual([0, 1])
  })

  it('merges repeats and drops blanks when reading CTC', () => {
    const symbols = ['', 'a', 'b']
    const oneHot = [1, 1, 0, 1, 2, 2, 0].flatMap((symbol) => [0, 1, 2].map((i) => (i === symbol ? 1 : 0)))
    expect(ctcReader(symbols, 0)({ values: oneHot, dims: [1, 7, 3] }, 0, 21)).toBe('aab')
  })
})

describe('nearest-centroid accuracy', () => {
  it('gives a sample the class of the normalised mean that it is nearest to', () => {
    const scorer = new CentroidScorer(Int32Array.of(0, 0, 1), Int32Array.of(0, 1, 1))
    // centroids (1, 0) of (2, 1) and (2, −1), and (0, 1): the last sample is nearer to class 0
    scorer.addSupport({ values: [2, 1, 2, -1, 0, 0.1], dims: [3, 2] }, [0, 1, 2])
    scorer.add({ values: [3, 1, 1, 3, 3, 2], dims: [3, 2] }, [0, 1, 2])
    expect([...scorer.finish().correct]).toEqual([1, 1, 0])
  })
})

describe('mean squared error', () => {
  it('averages over values, with one loss a sample', () => {
    const scorer = new SquaredErrorScorer([Float32Array.of(1, 2), Float32Array.of(0, 0)])
    scorer.add({ values: [1, 4, 3, 0], dims: [2, 2] }, [0, 1])
    const scores = scorer.finish()
    expect([...scores.losses!]).toEqual([2, 4.5])
    expect(value(scores, 'loss.mse')).toBe(3.25)
    expect(scores.correct).toHaveLength(0)
  })
})
