import type { BenchRow, ShapeReport } from './bench-shape.ts'

/** A shape's report as lines of text: times, ratios with their intervals, sizes, and what a reader must know. */

const ms = (value: number | null | undefined): string => (value === null || value === undefined ? '–' : value.toPrecision(4))
const struck = (digits: string): string => digits.replace(/./g, '$&\u0336')

function speedup({ comparison, disposition }: BenchRow): string {
  if (disposition !== 'measured' || !comparison) return '–'
  const range = comparison.interval ? ` [${comparison.interval.low.toFixed(2)}–${comparison.interval.high.toFixed(2)}]` : ''
  const word = comparison.verdict === 'faster' ? '' : ` (${comparison.verdict})`
  return `${comparison.speedup.toFixed(2)}×${range}${word}`
}

function line(row: BenchRow): string[] {
  const name = row.pattern ? row.pattern.label : row.name
  if (row.disposition === 'absent') return [name, 'absent', row.reason ?? '', '', '', '', '']
  const time = ms(row.wall?.median)
  const interval = row.wall?.interval ? `[${ms(row.wall.interval.low)}–${ms(row.wall.interval.high)}]` : ''
  const size =
    row.pattern && row.info ? `${(row.info.bytes / row.info.denseBytes).toFixed(3)} (theory ${(row.info.theoryBytes / row.info.denseBytes).toFixed(3)})` : ''
  return [
    name,
    row.disposition === 'incorrect' ? struck(time) : time,
    row.disposition === 'incorrect' ? `WRONG: ${row.reason ?? ''}` : interval,
    speedup(row),
    row.roofline ? `${(100 * row.roofline.peakShare).toFixed(0)} %` : '',
    size,
    row.info ? row.info.check.relativeError.toExponential(1) : '',
  ]
}

const headings = ['', 'ms', '95 % of the median', 'speed-up', 'of peak', 'size', 'error']

/** The baseline is marked with a star. */
export function benchTable(report: ShapeReport): string {
  const { shape, settings, peaks } = report
  const rows = [headings, ...report.rows.map((row) => line(row).map((text, i) => (i === 0 && row.name === report.baseline ? `${text} *` : text)))]
  const widths = headings.map((_, i) => Math.max(...rows.map((cells) => (cells[i] ?? '').length)))
  const body = rows.map((cells) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  const noise = report.noiseFloor === null ? 'unknown' : `±${(100 * report.noiseFloor).toFixed(1)} %`
  const causes = report.rows.flatMap((row) => row.diagnoses.map(({ sentence }) => `  ${row.pattern?.label ?? row.name}: ${sentence}`))
  return [
    `${shape.label}  ${settings.threads} thread${settings.threads === 1 ? '' : 's'}, caches ${settings.caches}, seed ${settings.seed}`,
    ...body,
    `* fastest dense product that passed the gate. Noise of the machine against itself ${noise}; ${report.stopped}.`,
    `Peak ${(peaks.before.multiplyAdd / 1e9).toFixed(0)} GFLOP/s (${peaks.before.instructionSet}), memory ${(peaks.before.bandwidth / 1e9).toFixed(1)} GB/s; "of peak" counts executed work.`,
    ...report.notes,
    ...(causes.length > 0 ? ['What limits the gain:', ...causes] : []),
  ].join('\n')
}
