import * as v from 'valibot'
import { AppError } from '../contract/error.ts'

/**
 * A JSON column read back under its schema, so that a row that another program wrote cannot carry anything else.
 * @throws AppError DATABASE_CORRUPT naming the column.
 */
export function readJson<const TSchema extends v.GenericSchema>(schema: TSchema, text: string, column: string): v.InferOutput<TSchema> {
  const parsed = v.safeParse(schema, JSON.parse(text))
  if (parsed.success) return parsed.output
  throw new AppError(
    'DATABASE_CORRUPT',
    `The history holds a row whose ${column} is not understood (${parsed.issues[0].message}); it was written by another program or is damaged.`,
  )
}
