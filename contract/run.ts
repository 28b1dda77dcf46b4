import * as v from 'valibot'
import { CaseRecord, CaseStatus } from './case.ts'
import { Environment } from './environment.ts'
import { CorrectionId, SaliencyId } from './saliency.ts'
import { StrategyId } from './strategy.ts'

const atLeastOne = <T extends v.GenericSchema>(item: T, what: string) => v.pipe(v.array(item), v.minLength(1, `Choose at least one ${what}.`))

/** What a face asks for. Sparsities are totals in per cent, as people write them. */
export const RunSpec = v.object({
  /** Path of a project folder, a project file or a task file. */
  project: v.pipe(v.string(), v.minLength(1)),
  /** Names of the tasks to use; empty takes all. */
  models: v.optional(v.array(v.string()), []),
  patterns: atLeastOne(v.string(), 'pattern'),
  sparsities: v.optional(
    v.array(
      v.pipe(
        v.number(),
        v.check(
          (value) => value >= 0 && value < 100,
          (issue) => `A sparsity of ${String(issue.input)} % is out of range; choose 0 or more and less than 100 %.`,
        ),
      ),
    ),
    [],
  ),
  vectors: v.optional(
    v.array(
      v.pipe(
        v.number(),
        v.check(
          (value) => Number.isInteger(value) && value >= 1 && value <= 65536,
          (issue) => `A vector height of ${String(issue.input)} is out of range; choose a whole number from 1 to 65536.`,
        ),
      ),
    ),
    [32],
  ),
  strategies: v.optional(atLeastOne(StrategyId, 'strategy'), ['none']),
  saliencies: v.optional(atLeastOne(SaliencyId, 'saliency'), ['magnitude']),
  corrections: v.optional(atLeastOne(CorrectionId, 'correction'), ['none']),
  seeds: v.optional(atLeastOne(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER)), 'seed'), [1]),
  /** Candidate evaluations a layer; null takes each strategy's own stopping rule. */
  budget: v.optional(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1))), null),
  /** Time the kernels. */
  timing: v.optional(v.boolean(), true),
  /** N, activation columns of every timed product. */
  columns: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65536)), 64),
  /** Threads of search, kernels and accuracy alike. */
  threads: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1024)), 2),
  /** Measure accuracy on the labelled data. */
  accuracy: v.optional(v.boolean(), true),
})
export type RunSpec = v.InferOutput<typeof RunSpec>
export type RunRequest = v.InferInput<typeof RunSpec>

/** `interrupted`: the process that ran it ended; finished cases are kept, resume goes on with the rest. */
export const runStatuses = ['running', 'done', 'cancelled', 'interrupted', 'failed'] as const
export const RunStatus = v.picklist(runStatuses)
export type RunStatus = v.InferOutput<typeof RunStatus>

export const RunSummary = v.object({
  id: v.number(),
  name: v.string(),
  project: v.string(),
  status: RunStatus,
  reason: v.nullable(v.string()),
  /** What people wrote beside it. */
  note: v.optional(v.string(), ''),
  tags: v.optional(v.array(v.string()), []),
  /** Milliseconds since 1970, UTC. */
  startedAt: v.number(),
  endedAt: v.nullable(v.number()),
  counts: v.record(CaseStatus, v.number()),
})
export type RunSummary = v.InferOutput<typeof RunSummary>

export const RunDetail = v.object({
  ...RunSummary.entries,
  spec: RunSpec,
  environment: Environment,
  cases: v.array(CaseRecord),
  /** The last event number given so far: watching after it tells only what is new. */
  lastSeq: v.optional(v.number(), 0),
})
export type RunDetail = v.InferOutput<typeof RunDetail>

/** What a face is told while a run goes on. `seq` rises by one; a watcher that reconnects asks for what came after. */
export const RunEvent = v.intersect([
  v.object({ seq: v.number(), runId: v.number(), at: v.number() }),
  v.variant('type', [
    v.object({ type: v.literal('started'), total: v.number() }),
    v.object({ type: v.literal('case-started'), caseId: v.number(), index: v.number(), label: v.string() }),
    v.object({
      type: v.literal('case-progress'),
      caseId: v.number(),
      /** What is being done, in words: "search conv3", "accuracy". */
      phase: v.string(),
      done: v.number(),
      total: v.number(),
    }),
    v.object({ type: v.literal('case-finished'), case: CaseRecord }),
    v.object({ type: v.literal('note'), level: v.picklist(['info', 'warning', 'error']), message: v.string() }),
    v.object({ type: v.literal('ended'), status: RunStatus, reason: v.nullable(v.string()) }),
  ]),
])
export type RunEvent = v.InferOutput<typeof RunEvent>
/** An event before its log gives it a place. */
type WithoutPlace<T> = T extends unknown ? Omit<T, 'seq' | 'runId' | 'at'> : never
export type RunEventBody = WithoutPlace<RunEvent>
