import type { CaseRecord, LayerResult } from '../../../contract/case.ts'
import { metricInfo, type MetricId } from '../../../contract/metric.ts'
import { askedSparsity, patternName, vectorOf } from '../../../contract/pattern.ts'
import { saliencies } from '../../../contract/saliency.ts'
import type { RunSpec } from '../../../contract/run.ts'
import { metricUnit } from '../format/metric.ts'
import { fixed, plain } from '../format/number.ts'
import { qualitiesOf, qualityOf } from '../format/quality.ts'

/** A row of the case table: a case, or one layer inside it. */
export interface CaseRow {
  key: string
  record: CaseRecord
  layer: LayerResult | null
  layers: CaseRow[]
}

export interface CaseColumn {
  id: string
  head: string
  unit: string
  width: number
  /** Which number of the registry the column shows in a row; null where the column shows text. */
  metric: ((row: CaseRow) => MetricId) | null
  numeric: boolean
  /** What sorts the column; undefined (nothing measured) goes last either way. */
  sortValue(row: CaseRow): string | number | undefined
  /** What the cell says; not asked for metric columns. */
  text(row: CaseRow): string
}

export const caseRows = (cases: readonly CaseRecord[]): CaseRow[] =>
  cases.map((record) => ({
    key: `case-${record.id}`,
    record,
    layer: null,
    layers: (record.result?.layers ?? []).map((layer, index) => ({ key: `case-${record.id}-layer-${index}`, record, layer, layers: [] })),
  }))

const isDense = (row: CaseRow): boolean => row.record.spec.pattern.kind === 'dense'

/** The pattern with its height: "hinm · V 32". */
export function patternText(record: CaseRecord): string {
  const vector = vectorOf(record.spec.pattern)
  return vector === null ? patternName(record.spec.pattern) : `${patternName(record.spec.pattern)} · V ${vector}`
}

const achievedOf = (row: CaseRow): number | null => row.record.result?.sparsityAchieved ?? null

/** Why a row has no numbers; null while it may still get them, and when it has them. */
export function reasonOf(row: CaseRow): string | null {
  const { status, reason } = row.layer ?? row.record
  if (status === 'done' || status === 'planned' || status === 'running') return null
  return reason ?? `No reason was recorded for this ${status} ${row.layer ? 'layer' : 'case'}.`
}

export const metricOf = (row: CaseRow, metric: MetricId) => (row.layer ?? row.record.result)?.metrics[metric]

const word = (id: string, head: string, width: number, text: (row: CaseRow) => string): CaseColumn => ({
  id,
  head,
  unit: '',
  width,
  metric: null,
  numeric: false,
  sortValue: text,
  text,
})

const settings: readonly (CaseColumn & { varies(run: RunSpec): boolean })[] = [
  {
    ...word('saliency', 'Saliency', 84, (row) => saliencies.find((saliency) => saliency.id === row.record.spec.saliency)?.label ?? row.record.spec.saliency),
    varies: (run) => run.saliencies.length > 1,
  },
  { ...word('correction', 'Correction', 84, (row) => row.record.spec.correction), varies: (run) => run.corrections.length > 1 },
  {
    ...word('seed', 'Seed', 60, (row) => String(row.record.spec.seed)),
    numeric: true,
    sortValue: (row) => row.record.spec.seed,
    varies: (run) => run.seeds.length > 1,
  },
]

const metricColumn = (metric: MetricId, width: number): CaseColumn => ({
  id: metric,
  head: metricInfo(metric).label,
  unit: metricUnit(metric),
  width,
  metric: () => metric,
  numeric: true,
  sortValue: (row) => metricOf(row, metric)?.value ?? undefined,
  text: () => '',
})

/** Each task is judged by a number of its own; where they differ, the head names none and each cell says its own. */
function qualityColumn(cases: readonly CaseRecord[]): CaseColumn {
  const [first, ...others] = qualitiesOf(cases)
  const alike = first !== undefined && others.length === 0
  const metric = (row: CaseRow): MetricId => qualityOf(row.record.result) ?? first ?? 'accuracy.top1'
  return {
    ...metricColumn(first ?? 'accuracy.top1', 80),
    id: 'quality',
    ...(alike ? {} : { head: 'Accuracy', unit: first === undefined ? '%' : '' }),
    metric,
    sortValue: (row) => metricOf(row, metric(row))?.value ?? undefined,
  }
}

/** The columns of a run: what never varies in it is said once above the table, not in every row. */
export function caseColumns(run: RunSpec, cases: readonly CaseRecord[]): CaseColumn[] {
  return [
    { ...word('index', '#', 72, (row) => String(row.record.index + 1)), sortValue: (row) => row.record.index },
    word('model', 'Model', 104, (row) => row.record.spec.model),
    word('pattern', 'Pattern', 92, (row) => patternText(row.record)),
    word('strategy', 'Strategy', 68, (row) => (isDense(row) ? '–' : row.record.spec.strategy)),
    ...settings.filter((column) => column.varies(run)),
    word('status', 'Status', 92, (row) => row.record.status),
    {
      ...word('asked', 'Asked', 54, (row) => plain(askedSparsity(row.record.spec.pattern) * 100)),
      unit: '%',
      numeric: true,
      sortValue: (row) => askedSparsity(row.record.spec.pattern),
    },
    {
      ...word('achieved', 'Achieved', 72, (row) => {
        const achieved = achievedOf(row)
        return achieved === null ? '' : fixed(achieved, 2)
      }),
      unit: '%',
      numeric: true,
      sortValue: (row) => achievedOf(row) ?? undefined,
    },
    metricColumn('saliency.retained', 80),
    metricColumn('saliency.relative', 94),
    qualityColumn(cases),
    metricColumn('kernel.time', 78),
    metricColumn('kernel.dense_time', 76),
    metricColumn('kernel.speedup', 78),
  ]
}
