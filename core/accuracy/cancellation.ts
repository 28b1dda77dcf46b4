import { AppError } from '../../contract/error.ts'

/** @throws AppError CANCELLED once the signal is aborted */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new AppError('CANCELLED', 'The work was cancelled; what was finished before is kept.')
}
