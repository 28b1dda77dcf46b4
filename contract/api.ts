import { eventIterator, oc } from '@orpc/contract'
import * as v from 'valibot'
import { CaseSpec, SampleSet } from './case.ts'
import { Environment } from './environment.ts'
import { ModelInfo } from './model.ts'
import { RunDetail, RunEvent, RunSpec, RunSummary } from './run.ts'
import { Project } from './task.ts'

const RunId = v.object({ id: v.number() })

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
  },
}
