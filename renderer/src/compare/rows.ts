import type { Environment } from '../../../contract/environment.ts'
import { metrics, type MetricId } from '../../../contract/metric.ts'
import { askedSparsity, describePattern, patternName, vectorOf } from '../../../contract/pattern.ts'
import { plain } from '../format/number.ts'
import type { ComparedCase } from './columns.ts'

/** A line of settings or facts: one text a side. */
export interface TextRow {
  label: string
  texts: string[]
  differs: boolean
}

const row = (label: string, texts: string[]): TextRow => ({ label, texts, differs: new Set(texts).size > 1 })

const settings: readonly (readonly [string, (side: ComparedCase) => string])[] = [
  ['Run', (side) => `${side.run.id} ${side.run.name}`],
  ['Model', (side) => side.record.spec.model],
  ['Pattern', (side) => patternName(side.record.spec.pattern)],
  ['Pattern in words', (side) => describePattern(side.record.spec.pattern)],
  ['Sparsity asked', (side) => `${plain(askedSparsity(side.record.spec.pattern) * 100)} %`],
  ['V', (side) => String(vectorOf(side.record.spec.pattern) ?? '–')],
  ['Strategy', (side) => (side.record.spec.pattern.kind === 'dense' ? '–' : side.record.spec.strategy)],
  ['Saliency', (side) => side.record.spec.saliency],
  ['Correction', (side) => side.record.spec.correction],
  ['Seed', (side) => String(side.record.spec.seed)],
  ['Budget', (side) => (side.record.spec.budget === null ? "the strategy's own" : plain(side.record.spec.budget))],
  ['Columns N', (side) => plain(side.run.spec.columns)],
  ['Threads', (side) => plain(side.run.spec.threads)],
  ['Status', (side) => side.record.status],
]

export const settingRows = (sides: readonly ComparedCase[]): TextRow[] => settings.map(([label, read]) => row(label, sides.map(read)))

function factText(environment: Environment, name: string): string {
  const fact = environment.facts[name]
  if (!fact) return 'not recorded'
  return fact.value === null ? `not known: ${fact.reason ?? 'no reason was recorded'}` : String(fact.value)
}

/** What differs between the machines that measured. Numbers from unlike machines are not alike. */
export function environmentDifferences(environments: readonly Environment[]): TextRow[] {
  const names = [...new Set(environments.flatMap((environment) => Object.keys(environment.facts)))].sort()
  const rows = [
    row(
      'Application',
      environments.map((environment) => environment.app),
    ),
    row(
      'Platform',
      environments.map((environment) => environment.platform),
    ),
    ...names.map((name) =>
      row(
        name,
        environments.map((environment) => factText(environment, name)),
      ),
    ),
  ]
  return rows.filter((candidate) => candidate.differs)
}

/** The metrics that any side measured, in the order of the registry. */
export const measuredMetrics = (sides: readonly ComparedCase[]): MetricId[] =>
  metrics.map((metric) => metric.id).filter((id) => sides.some((side) => side.record.result?.metrics[id] !== undefined))

export const valueOf = (side: ComparedCase | undefined, metric: MetricId): number | null => side?.record.result?.metrics[metric]?.value ?? null
