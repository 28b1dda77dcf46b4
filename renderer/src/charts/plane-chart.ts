import type { EChartsCoreOption } from 'echarts/core'
import { metricInfo, type MetricId } from '../../../contract/metric.ts'
import { paretoFront } from '../compare/pareto.ts'
import { metricText, metricUnit } from '../format/metric.ts'
import { plain } from '../format/number.ts'
import type { Mark } from './marks.ts'
import type { ThemeColors } from './theme-colors.ts'

/** A case in the plane of two metrics. */
export interface MetricPoint {
  x: number
  y: number
  label: string
  /** A few characters beside the mark. */
  name: string
  /** The group that its mark stands for, by place in `groups`. */
  group: number
}

/** Two metrics against each other, with the front of the cases that no other beats where both have a better way. */
export function planeChart(points: readonly MetricPoint[], x: MetricId, y: MetricId, marks: readonly Mark[], colors: ThemeColors): EChartsCoreOption {
  const [betterX, betterY] = [metricInfo(x).direction, metricInfo(y).direction]
  const front = betterX === 'neither' || betterY === 'neither' ? [] : paretoFront(points, betterX, betterY)
  return {
    animation: false,
    textStyle: { fontFamily: "'Inter Variable', system-ui, sans-serif", color: colors.text },
    grid: { left: 64, right: 24, top: 16, bottom: 44 },
    xAxis: axis(x, colors, 28),
    yAxis: axis(y, colors, 48),
    tooltip: {
      renderMode: 'richText',
      confine: true,
      backgroundColor: colors.surface,
      borderColor: colors['line-strong'],
      textStyle: { color: colors.text, fontSize: 12 },
      formatter: (hover: unknown) => tooltip((hover as { data: { point?: MetricPoint } }).data.point, x, y),
    },
    series: [
      {
        type: 'line',
        silent: true,
        symbol: 'none',
        lineStyle: { width: 1.25, type: 'dashed', color: colors['line-strong'] },
        data: front.map((point) => [scale(x, point.x), scale(y, point.y)]),
      },
      ...marks.map((mark, group) => {
        return {
          type: 'line',
          lineStyle: { width: 0 },
          symbol: mark.symbol,
          symbolSize: 10,
          labelLayout: { hideOverlap: true },
          itemStyle: { color: colors[mark.color], borderColor: colors.surface, borderWidth: 1 },
          data: points
            .filter((point) => point.group === group)
            .map((point) => ({
              value: [scale(x, point.x), scale(y, point.y)],
              point,
              label: { show: true, position: 'top', formatter: point.name, color: colors['text-muted'], fontSize: 10.5 },
            })),
        }
      }),
    ],
  }
}

const scale = (metric: MetricId, value: number): number => (metricInfo(metric).asPercent ? value * 100 : value)

function axis(metric: MetricId, colors: ThemeColors, nameGap: number): Record<string, unknown> {
  const unit = metricUnit(metric)
  return {
    type: 'value',
    scale: true,
    name: unit === '' ? metricInfo(metric).label : `${metricInfo(metric).label}, ${unit}`,
    nameLocation: 'middle',
    nameGap,
    nameTextStyle: { color: colors['text-muted'], fontSize: 11 },
    axisLine: { show: true, lineStyle: { color: colors['line-strong'] } },
    axisTick: { show: false },
    axisLabel: { color: colors['text-muted'], fontSize: 11, formatter: (value: number) => plain(value) },
    splitLine: { lineStyle: { color: colors.line } },
  }
}

function tooltip(point: MetricPoint | undefined, x: MetricId, y: MetricId): string {
  if (!point) return ''
  const text = (metric: MetricId, value: number): string => `${metricInfo(metric).label} ${metricText(metric, { value, unit: metricInfo(metric).unit })}`
  return `${point.label}\n${text(x, point.x)}\n${text(y, point.y)}`
}
