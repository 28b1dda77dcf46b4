import { implement } from '@orpc/server'
import { resolve } from 'node:path'
import { contract } from '../../contract/api.ts'
import type { RunSpec } from '../../contract/run.ts'
import { exportRun } from '../export/export-run.ts'
import type { AppContext } from './app-context.ts'
import { rpcError } from './rpc-error.ts'
import { sampleProject } from './sample-project.ts'

const recentProjects = 20

const os = implement(contract)
  .$context<AppContext>()
  .use(async ({ next, context }) => {
    try {
      return await next()
    } catch (thrown) {
      throw rpcError(thrown, (fault) => {
        context.report(fault)
      })
    }
  })

/** A relative path means the folder that the host was started in. */
const absolute = (spec: RunSpec): RunSpec => ({ ...spec, project: resolve(spec.project) })

/** The contract, implemented once for every host. */
export const router = os.router({
  app: {
    info: os.app.info.handler(async ({ context }) => ({
      version: context.version,
      host: context.host,
      environment: await context.environment(),
      readOnly: context.history.readOnly?.message ?? null,
    })),
  },
  projects: {
    recent: os.projects.recent.handler(({ context }) => context.history.read(() => context.history.projects.recent(recentProjects))),
    open: os.projects.open.handler(({ context, input }) => context.openProject(input.path)),
    forget: os.projects.forget.handler(async ({ context: { history }, input }) => {
      await history.write(() => {
        history.projects.forget(input.path)
      })
      return {}
    }),
    sample: os.projects.sample.handler(() => ({ path: sampleProject() })),
  },
  runs: {
    plan: os.runs.plan.handler(({ context, input }) => context.experiments.plan(absolute(input))),
    start: os.runs.start.handler(async ({ context, input }) => ({ id: await context.experiments.start(absolute(input)) })),
    resume: os.runs.resume.handler(async ({ context, input }) => ({ id: await context.experiments.resume(input.id) })),
    cancel: os.runs.cancel.handler(async ({ context, input }) => {
      await context.experiments.cancel(input.id)
      return {}
    }),
    watch: os.runs.watch.handler(async function* ({ context, input, signal }) {
      try {
        yield* context.experiments.watch(input.id, input.after, signal)
      } catch (thrown) {
        throw rpcError(thrown, (fault) => {
          context.report(fault)
        })
      }
    }),
    list: os.runs.list.handler(({ context }) => context.experiments.list()),
    get: os.runs.get.handler(({ context, input }) => context.experiments.get(input.id)),
    samples: os.runs.samples.handler(({ context, input }) => context.experiments.samples(input.caseId)),
    rename: os.runs.rename.handler(async ({ context, input }) => {
      await context.experiments.rename(input.id, input.name)
      return {}
    }),
    annotate: os.runs.annotate.handler(async ({ context, input }) => {
      await context.experiments.annotate(input.id, input.note, input.tags)
      return {}
    }),
    remove: os.runs.remove.handler(async ({ context, input }) => {
      await context.experiments.remove(input.id)
      return {}
    }),
    export: os.runs.export.handler(async ({ context, input }) => exportRun(await context.experiments.get(input.id), input.format, input.separator)),
  },
  history: {
    status: os.history.status.handler(({ context }) => context.history.read(() => context.care.status())),
    check: os.history.check.handler(({ context }) => context.history.read(() => ({ problems: context.care.check() }))),
    backUp: os.history.backUp.handler(({ context }) => context.care.backUp()),
    repair: os.history.repair.handler(({ context }) => context.care.repair()),
    exportTo: os.history.exportTo.handler(({ context, input }) => {
      context.care.exportTo(input.path)
      return {}
    }),
    importFrom: os.history.importFrom.handler(({ context, input }) => context.care.importFrom(input.path)),
  },
})
