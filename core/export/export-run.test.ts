import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { metric, type Metrics } from '../../contract/metric.ts'
import { Report } from '../../contract/report.ts'
import { exportRun } from './export-run.ts'
import { metricHeading, metricText } from './metric-text.ts'
import { reportOf } from './report.ts'
import { strangeNames, strangeRun } from './testing/strange-run.ts'

/** RFC 4180 by the letter, written apart from the exporter: quoted cells may hold separators, quotes and line ends. */
function parseCsv(text: string, separator: string): string[][] {
  const rows: string[][] = [[]]
  let at = 0
  while (at < text.length) {
    let cell = ''
    if (text[at] === '"') {
      for (at++; text[at] !== '"' || text[at + 1] === '"'; at++) {
        if (text[at] === '"') at++
        cell += text[at] ?? ''
      }
      at++
    } else {
      while (at < text.length && text[at] !== separator && !text.startsWith('\r\n', at)) cell += text[at++] ?? ''
    }
    rows.at(-1)!.push(cell)
    if (text.startsWith('\r\n', at)) {
      at += 2
      if (at < text.length) rows.push([])
    } else at++
  }
  return rows
}

const strangeNumbers: Metrics[] = [
  { 'accuracy.top1': metric('accuracy.top1', -0.5), 'kernel.error': metric('kernel.error', 1e-320) },
  { 'kernel.time': metric('kernel.time', 0), 'kernel.error': metric('kernel.error', -0) },
  { 'kernel.speedup': metric('kernel.speedup', Infinity), 'kernel.time': metric('kernel.time', NaN) },
  { 'size.packed': metric('size.packed', 2 ** 53) },
]

describe('CSV', () => {
  it.each([',', ';', '\t'] as const)('reads back equal with the separator %j: guarded texts, whole numbers, empty where nothing was measured', (separator) => {
    const [head, ...rows] = parseCsv(exportRun(strangeRun(strangeNumbers), 'csv', separator).text, separator)
    const column = (name: string): string[] => rows.map((row) => row[head!.indexOf(name)]!)
    expect(rows.every((row) => row.length === head!.length)).toBe(true)
    expect(column('model').slice(0, strangeNames.length)).toEqual(strangeNames.map((name) => (/^[=+\-@\t]/.test(name) ? `'${name}` : name)))
    const numbers = strangeNames.length
    expect(column('accuracy.top1 [%]').slice(numbers)).toEqual(['-0.5', '', '', ''])
    expect(column('kernel.time [ms]').slice(numbers)).toEqual(['', '0', '', ''])
    expect(column('kernel.speedup [×]').slice(numbers)).toEqual(['', '', '', ''])
    expect(column('kernel.error [ratio]').slice(numbers).map(Number)).toEqual([1e-320, -0, 0, 0])
    expect(Number(column('size.packed [bytes]').at(-1))).toBe(2 ** 53)
  })

  it('shows the sparsity that was asked for as it was typed', () => {
    // 1 − (1 − 0.8)·2/4 in float64 is 0.9 and a bit.
    expect(reportOf(strangeRun()).cases[0]!.sparsityAsked).toBe(90)
  })
})

describe('JSON', () => {
  it('is a report of the contract that survives a round trip, −0 and the smallest numbers too', () => {
    const report = v.parse(Report, JSON.parse(exportRun(strangeRun(strangeNumbers), 'json').text))
    expect(report).toEqual(reportOf(strangeRun(strangeNumbers)))
    const errors = report.cases.map(({ metrics }) => metrics['kernel.error']?.value)
    expect(errors).toContain(1e-320)
    expect(errors.some((value) => Object.is(value, -0))).toBe(true)
    expect(report.cases.at(-2)!.metrics['kernel.speedup']).toEqual({ value: null, unit: '×', reason: 'the result was Infinity' })
  })
})

describe('Markdown', () => {
  const { text } = exportRun(strangeRun(strangeNumbers), 'markdown')

  it('keeps strange names in their cells, as text', () => {
    const table = text.split('\n').filter((line) => line.startsWith('|'))
    expect(table).toHaveLength(2 + strangeNames.length + strangeNumbers.length)
    const bars = table.map((line) => line.replaceAll('\\|', '').split('|').length)
    expect(new Set(bars).size).toBe(1)
    expect(text).not.toMatch(/<(img|b)/)
    expect(text).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u)
  })

  it('writes an en dash where nothing was measured', () => {
    expect(metricText('kernel.time', metric('kernel.time', NaN))).toBe('–')
    expect(metricText('kernel.time', undefined)).toBe('–')
    expect(metricText('kernel.time', metric('kernel.time', 0))).toBe('0.000')
    expect(metricText('kernel.error', metric('kernel.error', 1.26e-12))).toBe('1.3e-12')
    expect(metricText('saliency.retained', metric('saliency.retained', 0.12345))).toBe('12.35')
    expect(metricHeading('saliency.retained')).toBe('Retained saliency, %')
    expect(metricHeading('kernel.time')).toBe('Kernel time, ms')
  })
})

describe('runs that measured different things', () => {
  it('are rows of one table, with gaps where something was not measured', () => {
    const metrics: Metrics[] = [
      { 'kernel.time': metric('kernel.time', 1) },
      { 'accuracy.top1': metric('accuracy.top1', 90) },
      { 'search.time': metric('search.time', 2) },
    ]
    const [head, ...rows] = parseCsv(exportRun({ ...strangeRun(metrics), cases: strangeRun(metrics).cases.slice(-3) }, 'csv').text, ',')
    const values = ['kernel.time [ms]', 'accuracy.top1 [%]', 'search.time [s]'].map((name) => rows.map((row) => row[head!.indexOf(name)]))
    expect(values).toEqual([
      ['1', '', ''],
      ['', '90', ''],
      ['', '', '2'],
    ])
  })
})
