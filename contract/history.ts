import * as v from 'valibot'

export const Backup = v.object({ path: v.string(), bytes: v.number(), /** Milliseconds since 1970, UTC. */ at: v.number() })
export type Backup = v.InferOutput<typeof Backup>

/** The history file as a whole. */
export const HistoryStatus = v.object({
  file: v.string(),
  bytes: v.nullable(v.number()),
  runs: v.number(),
  /** Why it can only be looked at; null when it can be written. */
  readOnly: v.nullable(v.string()),
  /** It could not be opened at all and may be repaired; nothing of it is shown. */
  damaged: v.boolean(),
  /** The newest first. */
  backups: v.array(Backup),
})
export type HistoryStatus = v.InferOutput<typeof HistoryStatus>

/** What became of the runs of another history. */
export const MergeReport = v.object({ added: v.number(), replaced: v.number(), known: v.number(), lost: v.array(v.string()) })
export type MergeReport = v.InferOutput<typeof MergeReport>

export const RepairReport = v.object({
  /** Where the damaged file is now. */
  aside: v.string(),
  saved: v.number(),
  fromBackups: v.number(),
  lost: v.array(v.string()),
})
export type RepairReport = v.InferOutput<typeof RepairReport>

export const exportFormats = ['csv', 'json', 'markdown'] as const
export const ExportFormat = v.picklist(exportFormats)
export type ExportFormat = v.InferOutput<typeof ExportFormat>

/** A run as text in a format of its own, with the name that a file of it would have. */
export const ExportedText = v.object({ name: v.string(), text: v.string() })
export type ExportedText = v.InferOutput<typeof ExportedText>
