import type { Milliseconds } from '../../contract/units.ts'
import { denseFloor, sparseFloor, type FloorBound, type GpuCeilings } from './gpu-floor.ts'

/**
 * Puts the steps of the check on a GPU together: the floor and the ratio to the fastest dense product beside every time.
 * The documents are what the native check writes; fields that are only handed on are not spelt out here.
 */

interface TimedByCheck {
  medianMilliseconds: number | null
}

interface CheckedProduct extends TimedByCheck {
  format: string
  /** V; 0 for plain 2:4. */
  vector: number
  /** Share of the columns. */
  keptColumns: number
}

export interface BenchDocument {
  rows: number
  cols: number
  n: number
  baselines: (TimedByCheck & { name: string })[]
  products: CheckedProduct[]
}

interface DeviceDocument {
  facts: Record<string, { value: unknown }>
}

interface BandwidthDocument {
  gather: { bytesPerSecond: number | null }[]
  copy: { bytesPerSecond: number | null }
}

interface ProductsDocument {
  passed: number
  failed: number
}

/** One step as it ran; `document` where it ended well, `error` where it did not. */
export interface CheckStep {
  name: string
  status: string
  seconds: number
  document?: unknown
  error?: string
  code?: string
}

type JudgedProduct = CheckedProduct & {
  /** Time of the fastest dense product of the same run over this time; null where either is missing. */
  speedup: number | null
  floorMilliseconds: Milliseconds | null
  floorBound: FloorBound | null
  /** Floor over time: 1 is the physical limit. */
  shareOfFloor: number | null
}

export type JudgedBench = Omit<BenchDocument, 'products'> & {
  denseMilliseconds: number | null
  denseFloorMilliseconds: Milliseconds | null
  products: JudgedProduct[]
}

export interface GpuReport {
  report: 'gpu-check'
  version: 1
  date: string
  status: 'done' | 'incomplete' | 'no device'
  reason: string | null
  steps: Omit<CheckStep, 'document'>[]
  device: unknown
  products: ProductsDocument | null
  bandwidth: unknown
  ceilings: GpuCeilings | null
  ceilingsReason: string | null
  bench: JudgedBench[]
}

/** Bytes that a multiprocessor reads from its shared memory each clock. */
const sharedBytesPerClock = 128
/** Plain 2:4 has no tiles of its own; the kernel multiplies 128 rows at a time. */
const twoFourTile = 128

const isDense = ({ name }: { name: string }): boolean => name.startsWith('cuBLASLt')
const largest = (values: number[]): number | null => (values.length > 0 ? Math.max(...values) : null)

/** What this device can do at most, as the steps measured it; null with a reason where one number is missing. */
function ceilingsOf(device: DeviceDocument | undefined, bandwidth: BandwidthDocument | undefined, benches: BenchDocument[]) {
  const multiprocessors = Number(device?.facts.multiprocessors?.value ?? 0)
  const clock = Number(device?.facts.clockMhz?.value ?? 0) * 1e6
  const rates = benches.flatMap(({ rows, cols, n, baselines }) =>
    baselines.flatMap((each) => (isDense(each) && each.medianMilliseconds ? [(2e3 * rows * cols * n) / each.medianMilliseconds] : [])),
  )
  const tensor = largest(rates)
  const memory = bandwidth?.copy.bytesPerSecond ?? null
  const cache = largest((bandwidth?.gather ?? []).flatMap(({ bytesPerSecond }) => (bytesPerSecond ? [bytesPerSecond] : [])))
  const shared = multiprocessors * clock * sharedBytesPerClock
  if (tensor && memory && cache && shared) return { ceilings: { tensor, memory, cache, shared }, reason: null }
  const missing = Object.entries({ tensor, memory, cache, shared }).flatMap(([name, value]) => (value ? [] : [name]))
  return { ceilings: null, reason: `not measured: ${missing.join(', ')}` }
}

/** One bench with floors and ratios. The ratio is to the fastest dense product of the same run, never to a slower one. */
export function withFloors(bench: BenchDocument, ceilings: GpuCeilings | null): JudgedBench {
  const times = bench.baselines.flatMap((each) => (isDense(each) && each.medianMilliseconds ? [each.medianMilliseconds] : []))
  const dense = times.length > 0 ? Math.min(...times) : null
  const shape = { rows: bench.rows, cols: bench.cols, columns: bench.n }
  const judge = (product: CheckedProduct): JudgedProduct => {
    const time = product.medianMilliseconds
    const pattern = { kept: product.keptColumns, vector: product.vector || twoFourTile, twoFour: product.format !== 'vector' }
    const floor = ceilings ? sparseFloor(shape, pattern, ceilings) : null
    return {
      ...product,
      speedup: dense && time ? dense / time : null,
      floorMilliseconds: floor?.floor ?? null,
      floorBound: floor?.bound ?? null,
      shareOfFloor: floor && time ? floor.floor / time : null,
    }
  }
  return {
    ...bench,
    denseMilliseconds: dense,
    denseFloorMilliseconds: ceilings ? denseFloor(shape, ceilings) : null,
    products: bench.products.map(judge),
  }
}

/** The whole report, from the steps in the order they ran. */
export function assembleReport(steps: CheckStep[], date: string): GpuReport {
  const documentOf = (name: string): unknown => steps.find((step) => step.name === name)?.document
  const device = documentOf('device') as DeviceDocument | undefined
  const bandwidth = documentOf('bandwidth') as BandwidthDocument | undefined
  const benches = steps.flatMap((step) => (step.name.startsWith('bench-') && step.document ? [step.document as BenchDocument] : []))
  const { ceilings, reason } = ceilingsOf(device, bandwidth, benches)
  const first = steps[0]
  const noDevice = first?.name === 'device' && first.code === 'DEVICE_UNAVAILABLE'
  return {
    report: 'gpu-check',
    version: 1,
    date,
    status: noDevice ? 'no device' : steps.every((step) => step.status === 'done') ? 'done' : 'incomplete',
    reason: noDevice ? (first.error ?? null) : null,
    steps: steps.map(({ name, status, seconds, error, code }) => ({ name, status, seconds, error, code })),
    device: device ?? null,
    products: (documentOf('products') as ProductsDocument | undefined) ?? null,
    bandwidth: bandwidth ?? null,
    ceilings,
    ceilingsReason: reason,
    bench: benches.map((bench) => withFloors(bench, ceilings)),
  }
}
