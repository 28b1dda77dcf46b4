import { eventIterator, oc } from '@orpc/contract'
import * as v from 'valibot'
import { CaseSpec, SampleSet } from './case.ts'
import { Environment } from './environment.ts'
import { Backup, ExportedText, ExportFormat, HistoryStatus, MergeReport, RepairReport } from './history.ts'
import { ModelInfo } from './model.ts'
import { RunDetail, RunEvent, RunSpec, RunSummary } from './run.ts'
import { Project } from './task.ts'

const RunId = v.object({ id: v.number() })
const RunName = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, 'A run needs a name of at least one character.'),
  v.maxLength(200, 'A name has at most 200 characters.'),
)
const Note = v.pipe(v.string(), v.maxLength(10_000, 'A note has at most 10,000 characters.'))
const Tag = v.pipe(v.string(), v.trim(), v.minLength(1, 'A tag needs at least one character.'), v.maxLength(100, 'A tag has at most 100 characters.'))
const FilePath = v.pipe(v.string(), v.minLength(1, 'A file needs a name.'), v.maxLength(4096))

export const ProjectView = v.object({
  path: v.string(),
  project: Project,
  /** One per task; null with a reason where the model could not be opened. */
  models: v.array(v.object({ task: v.string(), model: v.nullable(ModelInfo), reason: v.nullable(v.string()) })),
})
export type ProjectView = v.InferOutput<typeof ProjectView>

/** A case before it runs: planned, or refused with the reason. */
export const PlannedCase = v.object({ spec: CaseSpec, label: v.string(), refusal: v.nullable(v.string()) })
export type PlannedCase = v.InferOutput<typeof PlannedCase>

/** Everything that a face may ask. Three hosts serve it: Electron, the loopback server and the CLI. */
export const contract = {
  app: {
    info: oc.output(v.object({ version: v.string(), host: Environment.entries.host, environment: Environment, readOnly: v.nullable(v.string()) })),
  },
  projects: {
    recent: oc.output(v.array(v.object({ path: v.string(), name: v.string(), openedAt: v.number() }))),
    open: oc.input(v.object({ path: v.string() })).output(ProjectView),
    /** Takes a project off the list of recent ones; the file stays. */
    forget: oc.input(v.object({ path: v.string() })).output(v.object({})),
    /** The project that ships with the app. */
    sample: oc.output(v.object({ path: v.string() })),
  },
  runs: {
    plan: oc.input(RunSpec).output(v.array(PlannedCase)),
    start: oc.input(RunSpec).output(RunId),
    resume: oc.input(RunId).output(RunId),
    cancel: oc.input(RunId).output(v.object({})),
    /** Streams the run's events after `after` (0 for all) and ends when the run has ended. */
    watch: oc.input(v.object({ id: v.number(), after: v.number() })).output(eventIterator(RunEvent)),
    list: oc.output(v.array(RunSummary)),
    get: oc.input(RunId).output(RunDetail),
    samples: oc.input(v.object({ caseId: v.number() })).output(v.array(SampleSet)),
    rename: oc.input(v.object({ id: v.number(), name: RunName })).output(v.object({})),
    /** Replaces note and tags. */
    annotate: oc.input(v.object({ id: v.number(), note: Note, tags: v.array(Tag) })).output(v.object({})),
    /** Deletes a run that does not go on, with all that was measured in it. */
    remove: oc.input(RunId).output(v.object({})),
    export: oc.input(v.object({ id: v.number(), format: ExportFormat, separator: v.optional(v.picklist([',', ';', '\t']), ',') })).output(ExportedText),
  },
  history: {
    status: oc.output(HistoryStatus),
    /** Reads the whole file and lists what is wrong with it. */
    check: oc.output(v.object({ problems: v.array(v.string()) })),
    /** Today's backup, made anew. */
    backUp: oc.output(Backup),
    /** Makes a damaged history anew from its readable runs and the backups. */
    repair: oc.output(RepairReport),
    /** Writes the whole history into a file that must not be there yet. */
    exportTo: oc.input(v.object({ path: FilePath })).output(v.object({})),
    /** Takes over the runs of another history that are not here. */
    importFrom: oc.input(v.object({ path: FilePath })).output(MergeReport),
  },
}
