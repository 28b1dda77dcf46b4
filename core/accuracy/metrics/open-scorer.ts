import { resolve } from 'node:path'
import { AppError } from '../../../contract/error.ts'
import type { Sequence, Task } from '../../../contract/task.ts'
import { readDataFile } from '../data/data-file.ts'
import type { Labels, Samples } from '../samples.ts'
import { CentroidScorer } from './centroid.ts'
import { PerplexityScorer } from './perplexity.ts'
import type { Scorer } from './scorer.ts'
import { ctcReader, SequenceScorer, tokenReader, tokenText } from './sequence.ts'
import { SquaredErrorScorer } from './squared-error.ts'
import { TopScorer } from './top-k.ts'

/**
 * How a task is judged: every call gives a fresh scorer.
 * @throws AppError TASK_INVALID when the data has no labels of the kind that the metric needs
 */
export async function openScorer(task: Task, samples: Samples, base: string): Promise<() => Scorer> {
  const { labels, support } = samples
  switch (task.metric) {
    case 'top-1':
    case 'top-5': {
      if (labels.kind !== 'classes') throw unsuited(task, 'one class number a sample')
      return () => new TopScorer(labels.values, task.metric === 'top-1' ? 1 : 5)
    }
    case 'perplexity': {
      if (labels.kind !== 'tokens') throw unsuited(task, 'the next token at every position, as the data format "text" gives it')
      return () => new PerplexityScorer(labels.values)
    }
    case 'nearest-centroid': {
      if (labels.kind !== 'classes' || support?.labels.kind !== 'classes') throw unsuited(task, 'one class number a sample and support samples to compare with')
      const known = support.labels.values
      return () => new CentroidScorer(known, labels.values)
    }
    case 'mean-squared-error': {
      if (labels.kind !== 'numbers') throw unsuited(task, 'numbers that the output should meet')
      return () => new SquaredErrorScorer(labels.values)
    }
    case 'word-accuracy':
    case 'character-accuracy': {
      const { sequence } = task.output
      if (!sequence)
        throw new AppError('TASK_INVALID', `The metric ${task.metric} of the task "${task.name}" needs output.sequence, which says how the output is read.`)
      return await sequenceScorer(task, sequence, labels, base)
    }
  }
}

async function sequenceScorer(task: Task, sequence: Sequence, labels: Labels, base: string): Promise<() => Scorer> {
  if (sequence.kind === 'tokens') {
    if (labels.kind !== 'tokens') throw unsuited(task, 'sequences of tokens')
    const targets = labels.values.map(tokenText)
    return () => new SequenceScorer(targets, tokenReader(sequence.end))
  }
  if (labels.kind !== 'texts') throw unsuited(task, 'texts')
  const path = resolve(base, sequence.alphabet)
  const lines = new TextDecoder()
    .decode(await readDataFile(path))
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
  const symbols = [...lines, ...sequence.extra].map((symbol) => (sequence.ignore.includes(symbol) ? '' : symbol))
  symbols.splice(sequence.blank, 0, '')
  const targets = labels.values.map((text) =>
    Array.from(text)
      .filter((character) => !sequence.ignore.includes(character))
      .join(''),
  )
  return () => new SequenceScorer(targets, ctcReader(symbols, sequence.blank))
}

const unsuited = (task: Task, needs: string): AppError =>
  new AppError(
    'TASK_INVALID',
    `The metric ${task.metric} of the task "${task.name}" needs ${needs}, which its data does not give; choose another metric or data format.`,
  )
