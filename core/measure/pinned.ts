import * as v from 'valibot'
import { AppError } from '../../contract/error.ts'
import type { BenchRow, ShapeReport } from './bench-shape.ts'

/** Speed-ups that were once measured and may not get worse. Ratios are pinned, not times: they carry over between runs. */
export const PinnedBaseline = v.object({
  schema: v.literal('hinm-bench-pinned/1'),
  /** "shape, threads, caches, pattern" to speed-up. */
  speedups: v.record(v.string(), v.pipe(v.number(), v.minValue(0))),
})
export type PinnedBaseline = v.InferOutput<typeof PinnedBaseline>

/** A speed-up may fall by this share before it counts as a regression. */
export const allowedLoss = 0.05

const keyOf = ({ shape, settings }: ShapeReport, row: BenchRow): string =>
  `${shape.label}, ${settings.threads} threads, ${settings.caches}, ${row.pattern?.label ?? row.name}`

const sparseRows = (report: ShapeReport): BenchRow[] => report.rows.filter((row) => row.pattern !== null)

export function pin(reports: readonly ShapeReport[]): PinnedBaseline {
  const entries = reports.flatMap((report) =>
    sparseRows(report).flatMap((row) => (row.comparison ? [[keyOf(report, row), row.comparison.speedup] as const] : [])),
  )
  return { schema: 'hinm-bench-pinned/1', speedups: Object.fromEntries(entries) }
}

/** @throws AppError DATA_INVALID when the text is no pinned baseline. */
export function readPinned(text: string): PinnedBaseline {
  let json: unknown = null
  try {
    json = JSON.parse(text)
  } catch {
    // Reported below, like every other content that does not fit.
  }
  const parsed = v.safeParse(PinnedBaseline, json)
  if (parsed.success) return parsed.output
  throw new AppError('DATA_INVALID', 'The pinned baseline is not a file of "hinm bench --pin"; write it again with --pin.')
}

export const outcomes = ['fine', 'regression', 'unclear'] as const
export type Outcome = (typeof outcomes)[number]

export interface Judgement {
  outcome: Outcome
  /** One sentence for each row that is not fine. */
  sentences: string[]
}

function judgeRow(report: ShapeReport, row: BenchRow, pinned: PinnedBaseline | null): [Outcome, string | null] {
  const key = keyOf(report, row)
  if (row.disposition === 'incorrect') return ['regression', `${key}: ${row.reason ?? 'its result is wrong'}.`]
  if (!row.comparison?.interval) return ['unclear', `${key}: there is nothing to compare with.`]
  const { interval, verdict, speedup } = row.comparison
  const before = pinned?.speedups[key]
  if (before === undefined)
    return verdict === 'unclear' ? ['unclear', `${key}: the speed-up lies between ${interval.low.toFixed(2)} and ${interval.high.toFixed(2)}.`] : ['fine', null]
  const least = before * (1 - allowedLoss)
  if (interval.high < least) return ['regression', `${key}: ${speedup.toFixed(2)}× where ${before.toFixed(2)}× was pinned.`]
  if (interval.low < least)
    return ['unclear', `${key}: between ${interval.low.toFixed(2)}× and ${interval.high.toFixed(2)}× where ${before.toFixed(2)}× was pinned.`]
  return ['fine', null]
}

/** A wrong result is a regression whatever was pinned; the worst row decides, a regression before what is unclear. */
export function judge(reports: readonly ShapeReport[], pinned: PinnedBaseline | null): Judgement {
  const judged = reports.flatMap((report) => sparseRows(report).map((row) => judgeRow(report, row, pinned)))
  const outcome = judged.some(([each]) => each === 'regression') ? 'regression' : judged.some(([each]) => each === 'unclear') ? 'unclear' : 'fine'
  return { outcome, sentences: judged.flatMap(([, sentence]) => sentence ?? []) }
}
