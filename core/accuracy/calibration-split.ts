import { AppError } from '../../contract/error.ts'
import type { Task } from '../../contract/task.ts'
import type { Samples } from './samples.ts'

/** The samples whose inputs calibrate. Their labels are never read. */
export interface CalibrationSet {
  samples: Samples
  indices: number[]
}

/**
 * What a task sets aside; null when it sets nothing aside.
 * @throws AppError TASK_INVALID when it is not all in the data or leaves nothing to evaluate
 */
export function calibrationSet(task: Task, samples: Samples): CalibrationSet | null {
  if (!task.calibration) return null
  const { from, first, count } = task.calibration
  const source = from === 'support' ? samples.support : samples
  if (!source) {
    throw new AppError('TASK_INVALID', `The task "${task.name}" calibrates from support samples, but its data has none; set "from" to "samples".`)
  }
  if (first + count > source.count) {
    throw new AppError(
      'TASK_INVALID',
      `The task "${task.name}" sets the samples ${first} to ${first + count - 1} aside for calibration, but its data holds ${source.count}; choose a smaller range.`,
    )
  }
  if (from === 'samples' && count === samples.count) {
    throw new AppError('TASK_INVALID', `The task "${task.name}" sets all ${count} samples aside for calibration, which leaves none to evaluate; choose fewer.`)
  }
  return { samples: source, indices: Array.from({ length: count }, (_, i) => first + i) }
}

/** The samples that are judged: all, or all but those that calibrate. */
export function evaluationIndices(task: Task, samples: Samples, excludeCalibration: boolean): number[] {
  const set = excludeCalibration ? calibrationSet(task, samples) : null
  const aside = new Set(set?.samples === samples ? set.indices : [])
  return Array.from({ length: samples.count }, (_, i) => i).filter((index) => !aside.has(index))
}
