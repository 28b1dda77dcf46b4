import * as v from 'valibot'

/**
 * Every failure that a person may see: one code for programs, one full sentence that says what was wrong, which
 * value, what is allowed and what to do.
 */
export const errorCodes = [
  'INVALID_ARGUMENT',
  'NOT_FINITE',
  'FILE_NOT_FOUND',
  'FILE_NOT_READABLE',
  'NOT_A_MODEL',
  'MODEL_CORRUPT',
  'MODEL_UNSUPPORTED',
  'PROJECT_INVALID',
  'TASK_INVALID',
  'DATA_INVALID',
  'DATA_MISSING',
  'CALIBRATION_OVERLAP',
  'NOT_FOUND',
  'ALREADY_RUNNING',
  'DATABASE_READ_ONLY',
  'DATABASE_NEWER',
  'DATABASE_CORRUPT',
  'DATABASE_BUSY',
  'DISK_FULL',
  'ENGINE_CRASHED',
  'ENGINE_HUNG',
  'ENGINE_UNAVAILABLE',
  'HOST_UNREACHABLE',
  'VERIFICATION_FAILED',
  'DEVICE_UNAVAILABLE',
  'DEVICE_FAILED',
  'LIBRARY_NOT_FOUND',
  'OUT_OF_MEMORY',
  'CANCELLED',
  'INTERNAL',
] as const

export const ErrorCode = v.picklist(errorCodes)
export type ErrorCode = v.InferOutput<typeof ErrorCode>

export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** The same failure as plain data, for messages between processes and rows in the database. */
export interface Failure {
  code: ErrorCode
  message: string
}

const isErrorCode = (code: unknown): code is ErrorCode => (errorCodes as readonly unknown[]).includes(code)

/** What is known of any thrown thing, in words. Unknown faults keep their text but never their stack. */
export function failureOf(thrown: unknown): Failure {
  if (thrown instanceof AppError) return { code: thrown.code, message: thrown.message }
  if (thrown instanceof Error) {
    const code = (thrown as { code?: unknown }).code
    return { code: isErrorCode(code) ? code : 'INTERNAL', message: thrown.message }
  }
  return { code: 'INTERNAL', message: String(thrown) }
}
