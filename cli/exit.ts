import { failureOf } from '../contract/error.ts'

/** What a script can tell from the exit code. */
export const exitCodes = { done: 0, failed: 1, refused: 2 } as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** Codes that blame what was asked for, not what happened while doing it. */
const refusals: ReadonlySet<string> = new Set([
  'INVALID_ARGUMENT',
  'FILE_NOT_FOUND',
  'FILE_NOT_READABLE',
  'NOT_A_MODEL',
  'PROJECT_INVALID',
  'TASK_INVALID',
  'NOT_FOUND',
])

/** One sentence on stderr, never a stack. */
export function explain(thrown: unknown): ExitCode {
  const { message } = failureOf(thrown)
  const code = (thrown as { code?: unknown }).code
  process.stderr.write(`hinm: ${message}\n`)
  return typeof code === 'string' && refusals.has(code) ? exitCodes.refused : exitCodes.failed
}
