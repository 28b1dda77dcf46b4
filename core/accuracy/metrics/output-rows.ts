import { AppError } from '../../../contract/error.ts'
import type { OutputBatch } from './scorer.ts'

/** Numbers that an output holds for each sample. @throws AppError TASK_INVALID when its first axis is not the batch */
export function rowSize({ values, dims }: OutputBatch, samples: readonly number[]): number {
  const size = values.length / samples.length
  if (dims[0] === samples.length && Number.isInteger(size) && size > 0) return size
  throw new AppError(
    'TASK_INVALID',
    `The output has the shape [${dims.join(', ')}] for ${samples.length} samples, but its first axis must be the batch; name another output.`,
  )
}

/** The place of the largest of `count` numbers; the first one when several are equal, as in every framework. */
export function largest(values: ArrayLike<number | bigint>, start: number, count: number): number {
  let best = 0
  for (let i = 1; i < count; i++) {
    if ((values[start + i] ?? 0) > (values[start + best] ?? 0)) best = i
  }
  return best
}

/** Per cent of ones among zeros and ones. */
export function percentOfOnes(flags: Uint8Array): number {
  let ones = 0
  for (const flag of flags) ones += flag
  return (100 * ones) / flags.length
}
