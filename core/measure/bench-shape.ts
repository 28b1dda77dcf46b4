import type { MachinePeaks } from '../../native/measuring.ts'
import type { BenchPattern, BenchShape } from './bench-pattern.ts'
import { ContestantProcess } from './contestant-process.ts'
import { backends, type Backend, type ContestantInfo, type ContestantSpec, type SampleBlock } from './contestant-protocol.ts'
import { diagnose, type Diagnosis } from './diagnosis.ts'
import { median } from './median.ts'
import { callsPerSample, isSettled, stopCause, type SamplingPlan } from './sampling.ts'
import { summarize, type Summary } from './statistics.ts'
import { compare, noiseFloor, type Comparison } from './verdict.ts'
import { executedWork, movedBytes, roofline, type Roofline } from './work.ts'

/**
 * One shape, timed: every dense library that is present and every pattern, each in a process of its own, blocks of samples
 * in turn. The faster dense library is the baseline; a second process of it shows the machine's own noise.
 */

export interface BenchSettings {
  threads: number
  seed: number
  caches: ContestantSpec['caches']
  plan: SamplingPlan
  /** Dense back ends that take part. */
  baselines: readonly Exclude<Backend, 'sparse'>[]
}

export const denseBackends = backends.filter((backend): backend is Exclude<Backend, 'sparse'> => backend !== 'sparse')

export type Disposition = 'measured' | 'incorrect' | 'absent'

/** One contestant's row. */
export interface BenchRow {
  backend: Backend
  /** Library or kernel. */
  name: string
  /** The pattern of a sparse row. */
  pattern: BenchPattern | null
  /** incorrect: its result failed the gate; its time is shown but never ranked. */
  disposition: Disposition
  /** Why it is absent or incorrect. */
  reason: string | null
  info: ContestantInfo | null
  callsPerSample: number
  settled: boolean
  /** Milliseconds of one call. */
  wall: Summary | null
  /** Median processor time of one call, all threads together, ms. */
  processor: number | null
  blocks: SampleBlock[]
  /** Against the fastest dense row that passed the gate; null for itself. */
  comparison: Comparison | null
  roofline: Roofline | null
  diagnoses: Diagnosis[]
}

export interface ShapeReport {
  shape: BenchShape
  settings: BenchSettings
  rows: BenchRow[]
  /** Name of the baseline, null where no dense row passed the gate. */
  baseline: string | null
  /** How far the baseline strays from itself; null where it could not be said. */
  noiseFloor: number | null
  stopped: string
  /** Measured before the samples; the arithmetic peak once more after them. */
  peaks: { before: MachinePeaks; multiplyAddAfter: number }
  /** Facts that a reader must know, one sentence each. */
  notes: string[]
}

interface Running {
  row: BenchRow
  process: ContestantProcess
}

const lanesOf: Record<string, number> = { 'AVX-512': 16, AVX2: 8 }

function emptyRow(backend: Backend, pattern: BenchPattern | null): BenchRow {
  return {
    backend,
    name: backend,
    pattern,
    disposition: 'absent',
    reason: null,
    info: null,
    callsPerSample: 1,
    settled: false,
    wall: null,
    processor: null,
    blocks: [],
    comparison: null,
    roofline: null,
    diagnoses: [],
  }
}

async function open(shape: BenchShape, settings: BenchSettings, backend: Backend, pattern: BenchPattern | null): Promise<Running | BenchRow> {
  const row = emptyRow(backend, pattern)
  const process = new ContestantProcess()
  const selection = pattern ?? { vector: shape.rows, keptColumns: shape.cols, n: 1, m: 1, valueType: 'float32' as const }
  const { vector, keptColumns, n, m, valueType } = selection
  const { threads, seed, caches } = settings
  const { rows, cols, columns } = shape
  try {
    const info = await process.open({ backend, rows, cols, columns, vector, keptColumns, n, m, seed, valueType, threads, caches })
    const { passed, relativeError, tolerance } = info.check
    const reason = passed ? null : `its result is off by ${relativeError.toExponential(1)} where ${tolerance.toExponential(0)} is allowed`
    return { row: { ...row, name: info.name, info, disposition: passed ? 'measured' : 'incorrect', reason }, process }
  } catch (thrown) {
    process.close()
    if ((thrown as { code?: unknown }).code !== 'LIBRARY_NOT_FOUND') throw thrown
    return { ...row, reason: (thrown as Error).message }
  }
}

/** Calls each contestant until its block medians agree, and learns how many calls fill a sample. */
async function settle({ row, process }: Running, plan: SamplingPlan): Promise<void> {
  const start = performance.now()
  const medians: number[] = []
  while (!row.settled && performance.now() - start < plan.settleSeconds * 1e3) {
    const { wall } = await process.sample(3, row.callsPerSample)
    const middle = median(wall) ?? 0
    medians.push(middle)
    row.callsPerSample = callsPerSample(middle, plan)
    row.settled = isSettled(medians, plan.settleShare)
  }
}

const walls = (row: BenchRow): number[][] => row.blocks.map(({ wall }) => wall)
const medianOf = (row: BenchRow): number => median(walls(row).flat()) ?? Infinity

function fastest(rows: readonly BenchRow[]): BenchRow | null {
  const ranked = rows.filter((row) => row.pattern === null && row.disposition === 'measured')
  return ranked.reduce<BenchRow | null>((best, row) => (best === null || medianOf(row) < medianOf(best) ? row : best), null)
}

/** A block of each in turn, the direction changing, until every speed-up is known well enough or a limit is reached. */
async function sampleInTurn(running: readonly Running[], settings: BenchSettings, signal?: AbortSignal): Promise<string> {
  const start = performance.now()
  for (let round = 1; ; round++) {
    const order = round % 2 === 0 ? [...running].reverse() : running
    for (const { row, process } of order) {
      signal?.throwIfAborted()
      row.blocks.push(await process.sample(settings.plan.samplesPerBlock, row.callsPerSample))
    }
    const rows = running.map(({ row }) => row)
    const baseline = fastest(rows)
    const comparisons = baseline ? rows.filter((row) => row.pattern !== null).map((row) => compare(walls(baseline), walls(row))) : []
    const cause = stopCause(round, (performance.now() - start) / 1e3, comparisons, settings.plan)
    if (cause !== null) return cause
  }
}

function finish(row: BenchRow, shape: BenchShape, baseline: BenchRow | null, floor: number, threads: number, peaks: MachinePeaks): void {
  row.wall = summarize(walls(row).flat())
  row.processor = median(row.blocks.flatMap(({ processor }) => processor))
  if (row.wall === null || row.info === null) return
  const pattern = row.pattern ?? { vector: shape.rows, keptColumns: shape.cols, n: 1, m: 1 }
  const work = executedWork(shape, pattern)
  row.roofline = roofline(shape, work, movedBytes(shape, row.info.bytes), row.wall.median, peaks)
  if (!baseline || row === baseline || row.disposition !== 'measured') return
  row.comparison = compare(walls(baseline), walls(row), floor)
  if (row.pattern === null) return
  row.diagnoses = diagnose({
    shape,
    pattern,
    weightBytes: row.info.bytes,
    threads,
    ceilings: peaks,
    lanes: lanesOf[peaks.instructionSet] ?? 4,
    sparseMilliseconds: row.wall.median,
    denseMilliseconds: medianOf(baseline),
  })
}

function notesOf(report: Omit<ShapeReport, 'notes'>): string[] {
  const { before, multiplyAddAfter } = report.peaks
  const moved = Math.abs(multiplyAddAfter / before.multiplyAdd - 1)
  const unsettled = report.rows.filter((row) => row.disposition !== 'absent' && !row.settled).map(({ name }) => name)
  const notes: string[] = []
  if (moved > 0.03) notes.push(`The arithmetic peak moved by ${(100 * moved).toFixed(0)} % during the run: the clock changed or other programs were busy.`)
  if (unsettled.length > 0) notes.push(`Still drifting when sampling began: ${unsettled.join(', ')}.`)
  if (report.baseline === null) notes.push('No dense product passed the gate, so there is nothing to compare with.')
  return notes
}

/** Times one shape. @throws the signal's reason when aborted. */
export async function benchShape(shape: BenchShape, patterns: readonly BenchPattern[], settings: BenchSettings, signal?: AbortSignal): Promise<ShapeReport> {
  const rows: BenchRow[] = []
  const running: Running[] = []
  const add = (opened: Running | BenchRow): void => {
    if ('process' in opened) running.push(opened)
    rows.push('process' in opened ? opened.row : opened)
  }
  try {
    for (const backend of settings.baselines) add(await open(shape, settings, backend, null))
    for (const pattern of patterns) add(await open(shape, settings, 'sparse', pattern))
    const [first] = running
    if (!first) throw new Error('no contestant could be opened')
    const before = await first.process.peaks(settings.threads)
    for (const contestant of running) await settle(contestant, settings.plan)
    for (const contestant of running) contestant.row.blocks.push(await contestant.process.sample(2, contestant.row.callsPerSample))
    const favourite = fastest(rows)
    for (const { row } of running) row.blocks.length = 0
    const again = favourite ? await open(shape, settings, favourite.backend, null) : null
    const twins = again && 'process' in again ? [again] : []
    for (const twin of twins) await settle(twin, settings.plan)
    try {
      const stopped = await sampleInTurn([...running, ...twins], settings, signal)
      const baseline = fastest(rows)
      const twin = twins[0]
      const floor = favourite && twin ? noiseFloor(walls(favourite), walls(twin.row)) : null
      const multiplyAddAfter = await first.process.multiplyAddPeak(settings.threads)
      for (const row of rows) finish(row, shape, baseline, floor ?? 0, settings.threads, before)
      const report = { shape, settings, rows, baseline: baseline?.name ?? null, noiseFloor: floor, stopped, peaks: { before, multiplyAddAfter } }
      return { ...report, notes: notesOf(report) }
    } finally {
      for (const { process } of twins) process.close()
    }
  } finally {
    for (const { process } of running) process.close()
  }
}
