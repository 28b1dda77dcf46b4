import { AppError } from '../../contract/error.ts'
import type { Task } from '../../contract/task.ts'

/**
 * The samples whose inputs calibrate, by index; empty when the task sets none aside. Labels are never read.
 * @throws AppError TASK_INVALID when they are not all in the data or leave nothing to evaluate
 */
export function calibrationIndices(task: Task, count: number): number[] {
  if (!task.calibration) return []
  const { first, count: wanted } = task.calibration
  if (first + wanted > count) {
    throw new AppError(
      'TASK_INVALID',
      `The task "${task.name}" sets the samples ${first} to ${first + wanted - 1} aside for calibration, but its data holds ${count}; choose a smaller range.`,
    )
  }
  if (wanted === count)
    throw new AppError('TASK_INVALID', `The task "${task.name}" sets all ${count} samples aside for calibration, which leaves none to evaluate; choose fewer.`)
  return Array.from({ length: wanted }, (_, i) => first + i)
}

/** The samples that are judged: all, or all but those that calibrate. */
export function evaluationIndices(task: Task, count: number, excludeCalibration: boolean): number[] {
  const aside = new Set(excludeCalibration ? calibrationIndices(task, count) : [])
  return Array.from({ length: count }, (_, i) => i).filter((index) => !aside.has(index))
}
