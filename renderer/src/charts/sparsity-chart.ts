import type { EChartsCoreOption } from 'echarts/core'
import { metricInfo, type MetricId } from '../../../contract/metric.ts'
import type { CaseRecord } from '../../../contract/case.ts'
import { metricUnit } from '../format/metric.ts'
import { fixed, plain } from '../format/number.ts'
import { qualityOf } from '../format/quality.ts'
import { strategyMark } from './marks.ts'
import { sparsityPoints, variantOf, type SparsityPoint } from './sparsity-points.ts'
import type { ThemeColors } from './theme-colors.ts'

/** The rows of the chart: what judges the model, and what the mask keeps. */
const rowMetrics: readonly ((record: CaseRecord) => MetricId | null)[] = [(record) => qualityOf(record.result), () => 'saliency.retained']
const panelHeight = 168
const panelGap = 52
const top = 44
const left = 34
const right = 18

export const sparsityChartHeight = top + rowMetrics.length * (panelHeight + panelGap) - 10
const panelTop = (row: number): number => top + row * (panelHeight + panelGap)

/** Small multiples: a column for each model, a row for each metric, all rows on one sparsity axis. */
export function sparsityChart(cases: readonly CaseRecord[], models: readonly string[], colors: ThemeColors, width: number): EChartsCoreOption {
  const columnWidth = width / Math.max(1, models.length)
  const panels = rowMetrics.flatMap((metricOf, row) =>
    models.map((model, column) =>
      panel(
        cases.filter((record) => record.spec.model === model),
        metricOf,
        model,
        row,
        column,
      ),
    ),
  )
  const variants = variantsOf(cases)
  return {
    animation: false,
    textStyle: { fontFamily: "'Inter Variable', system-ui, sans-serif", color: colors.text },
    title: panels.map((panel) => ({
      text: panel.row === 0 ? `{model|${panel.model}}\n${panel.title}` : panel.title,
      left: panel.column * columnWidth + 2,
      top: panelTop(panel.row) - (panel.row === 0 ? 38 : 20),
      padding: 0,
      textStyle: {
        fontSize: 11,
        lineHeight: 16,
        fontWeight: 400,
        color: colors['text-muted'],
        rich: { model: { fontSize: 12, fontWeight: 600, lineHeight: 16, color: colors.text } },
      },
    })),
    grid: panels.map((panel) => ({
      left: panel.column * columnWidth + left,
      width: columnWidth - left - right,
      top: panelTop(panel.row),
      height: panelHeight,
    })),
    xAxis: panels.map((panel, index) =>
      axis(colors, { gridIndex: index, min: 0, max: 100, interval: 25, name: panel.row === rowMetrics.length - 1 ? 'achieved sparsity, %' : '' }),
    ),
    yAxis: panels.map(({ percent }, index) => axis(colors, percent ? { gridIndex: index, min: 0, max: 100, interval: 25 } : { gridIndex: index, scale: true })),
    tooltip: {
      renderMode: 'richText',
      confine: true,
      backgroundColor: colors.surface,
      borderColor: colors['line-strong'],
      textStyle: { color: colors.text, fontSize: 12 },
      formatter: tooltipText,
    },
    series: panels.flatMap((panel, index) => seriesOf(panel.points, index, colors, variants)),
  }
}

/** How the lines of variants are drawn, in turn. */
export const lineTypes = ['solid', 'dashed', 'dotted'] as const

export const variantsOf = (cases: readonly CaseRecord[]): string[] => [
  ...new Set(cases.filter((record) => record.spec.pattern.kind !== 'dense').map(variantOf)),
]

/** Variants by what they do not share: where only the correction differs, only the correction is named. */
export function variantNames(variants: readonly string[]): string[] {
  const parts = variants.map((variant) => variant.split(', '))
  return parts.map((own) => own.filter((part, place) => parts.some((other) => other[place] !== part)).join(', '))
}

interface Panel {
  row: number
  column: number
  model: string
  title: string
  /** Shares live between 0 and 100 and are drawn so; anything else takes the range of its values. */
  percent: boolean
  points: SparsityPoint[]
}

function panel(cases: readonly CaseRecord[], metricOf: (record: CaseRecord) => MetricId | null, model: string, row: number, column: number): Panel {
  const points = sparsityPoints(cases, metricOf)
  const metric = points[0]?.metric
  const unit = metric === undefined ? '%' : metricUnit(metric)
  const label = metric === undefined ? (row === 0 ? 'Accuracy' : metricInfo('saliency.retained').label) : metricInfo(metric).label
  return { row, column, model, title: unit === '' ? label : `${label}, ${unit}`, percent: unit === '%', points }
}

/** Every case that has a mark in one of the panels. */
export const drawnCases = (cases: readonly CaseRecord[]): number =>
  new Set(rowMetrics.flatMap((metricOf) => sparsityPoints(cases, metricOf).map((point) => point.caseId))).size

function axis(
  colors: ThemeColors,
  settings: { gridIndex: number; min?: number; max?: number; interval?: number; scale?: boolean; name?: string },
): Record<string, unknown> {
  return {
    type: 'value',
    ...settings,
    nameLocation: 'middle',
    nameGap: 24,
    nameTextStyle: { color: colors['text-muted'], fontSize: 11 },
    axisLine: { show: true, lineStyle: { color: colors['line-strong'] } },
    axisTick: { show: false },
    axisLabel: { color: colors['text-muted'], fontSize: 11, formatter: (value: number) => plain(value) },
    splitLine: { lineStyle: { color: colors.line } },
  }
}

/** One line for each family and strategy; dense is a ring. A family is named once a sparsity, above its highest mark. */
function seriesOf(points: readonly SparsityPoint[], panel: number, colors: ThemeColors, variants: readonly string[]): Record<string, unknown>[] {
  const named = new Set(
    [...Map.groupBy(points, (point) => `${point.family} ${point.sparsity.toFixed(1)}`).values()].map((same) => same.toSorted((a, b) => b.value - a.value)[0]),
  )
  const lines = Map.groupBy(points, (point) => `${point.family} ${point.strategy ?? ''} ${point.variant}`)
  return [...lines.values()].map((line) => {
    const strategy = line[0]!.strategy
    const mark = strategy === null ? null : strategyMark(strategy)
    const color = mark ? colors[mark.color] : colors.text
    return {
      type: 'line',
      xAxisIndex: panel,
      yAxisIndex: panel,
      symbol: mark?.symbol ?? 'circle',
      symbolSize: 9,
      lineStyle: { width: 1.25, color, type: lineTypes[Math.max(0, variants.indexOf(line[0]!.variant)) % lineTypes.length] },
      itemStyle: mark ? { color, borderColor: colors.surface, borderWidth: 1 } : { color: colors.surface, borderColor: color, borderWidth: 2 },
      labelLayout: { hideOverlap: true },
      data: line
        .toSorted((a, b) => a.sparsity - b.sparsity)
        .map((point) => ({
          value: [point.sparsity, point.value],
          point,
          label: { show: named.has(point), position: labelPlace(point), formatter: point.family, color: colors['text-muted'], fontSize: 10.5 },
        })),
    }
  })
}

/** Labels stay inside their panel: beside the marks near its left and upper edges. */
const labelPlace = (point: SparsityPoint): string => (point.sparsity < 12 || point.value > 93 ? 'right' : 'top')

function tooltipText(hover: unknown): string {
  const { point } = (hover as { data: { point: SparsityPoint } }).data
  return `${point.label}\n${point.variant === '' ? '' : `${point.variant}\n`}achieved sparsity ${fixed(point.sparsity, 2)} %\n${metricInfo(point.metric).label} ${fixed(point.value, 2)}${metricUnit(point.metric) === '' ? '' : ` ${metricUnit(point.metric)}`}`
}
