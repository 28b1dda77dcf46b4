import { distance } from 'fastest-levenshtein'
import { metric } from '../../../contract/metric.ts'
import { largest, percentOfOnes, rowSize } from './output-rows.ts'
import type { OutputBatch, Scorer, Scores } from './scorer.ts'

/** Reads the sequence of one sample out of the output. Each symbol is one UTF-16 unit of the text. */
export type SequenceReader = (output: OutputBatch, row: number, size: number) => string

/**
 * Word and character accuracy of sequences: the share that is wholly right, and 1 − Σ edit distance / Σ length
 * (Levenshtein). The loss of a sample is its edit distance.
 */
export class SequenceScorer implements Scorer {
  private readonly targets: readonly string[]
  private readonly read: SequenceReader
  private readonly distances: number[] = []
  private symbols = 0

  constructor(targets: readonly string[], read: SequenceReader) {
    this.targets = targets
    this.read = read
  }

  add(output: OutputBatch, samples: readonly number[]): void {
    const size = rowSize(output, samples)
    samples.forEach((sample, row) => {
      const target = this.targets[sample] ?? ''
      this.distances.push(distance(this.read(output, row, size), target))
      this.symbols += target.length
    })
  }

  finish(): Scores {
    const correct = Uint8Array.from(this.distances, (edits) => (edits === 0 ? 1 : 0))
    const edits = this.distances.reduce((sum, one) => sum + one, 0)
    return {
      correct,
      losses: Float64Array.from(this.distances),
      metrics: {
        'accuracy.word': metric('accuracy.word', percentOfOnes(correct)),
        'accuracy.character': metric('accuracy.character', 100 * Math.max(0, 1 - edits / this.symbols)),
      },
    }
  }
}

/** Tokens as a text of one unit each, for the edit distance. */
export const tokenText = (tokens: Iterable<number>): string => String.fromCharCode(...tokens)

/** The output holds tokens; what follows the first `end` is not read. */
export function tokenReader(end: number): SequenceReader {
  return ({ values }, row, size) => {
    const tokens: number[] = []
    for (let i = 0; i < size; i++) {
      const token = Number(values[row * size + i])
      if (token === end) break
      tokens.push(token)
    }
    return tokenText(tokens)
  }
}

/**
 * Greedy reading of connectionist temporal classification (Graves 2006): the largest class of every step, repeats
 * merged, blanks dropped. `symbols[c]` is what class c stands for.
 */
export function ctcReader(symbols: readonly string[], blank: number): SequenceReader {
  return ({ values }, row, size) => {
    const steps = size / symbols.length
    let text = ''
    let previous = blank
    for (let step = 0; step < steps; step++) {
      const symbol = largest(values, row * size + step * symbols.length, symbols.length)
      if (symbol !== previous && symbol !== blank) text += symbols[symbol] ?? ''
      previous = symbol
    }
    return text
  }
}
