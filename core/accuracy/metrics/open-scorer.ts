import { AppError } from '../../../contract/error.ts'
import type { Task } from '../../../contract/task.ts'
import type { Samples } from '../samples.ts'
import type { Scorer } from './scorer.ts'
import { TopScorer } from './top-k.ts'

/** The scorer of a task's metric. @throws AppError TASK_INVALID when the data has no labels of the kind it needs */
export function openScorer(task: Task, samples: Samples): Scorer {
  const { labels } = samples
  switch (task.metric) {
    case 'top-1':
      if (labels.kind !== 'classes') throw unsuited(task, 'one class number a sample')
      return new TopScorer(labels.values)
  }
}

const unsuited = (task: Task, needs: string): AppError =>
  new AppError(
    'TASK_INVALID',
    `The metric ${task.metric} of the task "${task.name}" needs ${needs}, which its data does not give; choose another metric or data format.`,
  )
