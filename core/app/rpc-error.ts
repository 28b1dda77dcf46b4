import { ORPCError, ValidationError } from '@orpc/server'
import { AppError, failureOf, type ErrorCode } from '../../contract/error.ts'

/**
 * What a face is told of a failure: its code and its sentence, never a stack. A fault of ours keeps its text in the
 * host's own log and reaches the face as INTERNAL.
 */
export function rpcError(thrown: unknown, report: (fault: unknown) => void): ORPCError<ErrorCode, undefined> {
  // An answer of ours that breaks its own schema is a fault of ours and not the face's.
  if (thrown instanceof ORPCError && thrown.code === 'BAD_REQUEST' && thrown.cause instanceof ValidationError)
    return error('INVALID_ARGUMENT', validationSentence(thrown.cause))
  if (!(thrown instanceof AppError)) report(thrown)
  const { code, message } = failureOf(thrown)
  return error(code, code === 'INTERNAL' ? `Something went wrong inside the application (${message}); please report it.` : message)
}

const error = (code: ErrorCode, message: string): ORPCError<ErrorCode, undefined> => new ORPCError(code, { message, status: 400 })

/** The schema's own sentences; for its plain type errors the place is added, because their text alone says little. */
function validationSentence({ issues }: ValidationError): string {
  const sentences = issues.map(({ message, path }) => {
    const place = (path ?? []).map((segment) => String(typeof segment === 'object' ? segment.key : segment)).join('.')
    if (message.endsWith('.') || place === '') return message
    const choice = /^Invalid type: Expected \((.+)\) but received (.+)$/.exec(message)
    const words = choice ? `${choice[2] ?? ''} is not one of ${(choice[1] ?? '').replaceAll(' | ', ', ')}` : message
    return `The setting "${place}" is not valid: ${words}.`
  })
  return [...new Set(sentences)].join(' ')
}
