import * as v from 'valibot'

/** A fact about the machine: its value, or why it is not known. Never 0 for unknown. */
export const Fact = v.object({ value: v.nullable(v.union([v.string(), v.number(), v.boolean()])), reason: v.optional(v.string()) })
export type Fact = v.InferOutput<typeof Fact>

/** Where a number was measured. Host and user names and paths are not in it. */
export const Environment = v.object({
  /** Version of this application. */
  app: v.string(),
  host: v.picklist(['electron', 'server', 'cli']),
  platform: v.string(),
  facts: v.record(v.string(), Fact),
})
export type Environment = v.InferOutput<typeof Environment>
