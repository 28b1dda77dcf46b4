import type { Ceilings, ProductShape, SparsePattern } from './work.ts'
import { denseWork, executedWork, gatheredBytes, movedBytes } from './work.ts'

/**
 * Why a sparse product gains little: which of its costs the pattern does not shrink. Each cost is estimated from the shape
 * and the measured peaks; a cause is named when it takes a large share of the estimate.
 */

export const diagnosisCodes = ['launch-bound', 'batch-too-small', 'memory-bound', 'padding', 'gather-bound', 'dense-simply-better'] as const
export type DiagnosisCode = (typeof diagnosisCodes)[number]

export interface Diagnosis {
  code: DiagnosisCode
  sentence: string
}

export interface DiagnosisInput {
  shape: ProductShape
  pattern: SparsePattern
  /** Bytes of the packed weights. */
  weightBytes: number
  threads: number
  ceilings: Ceilings
  /** Floats of a vector register. */
  lanes: number
  /** Median of the sparse product, ms. */
  sparseMilliseconds: number
  /** Median of the fastest dense baseline, ms. */
  denseMilliseconds: number
}

/** Waking the other threads of a call and waiting for them, ms. */
const wakeMilliseconds = 0.02
/** Rows that the CPU kernel works on together. */
const rowQuad = 4
/** Bytes/s of copying into the first-level cache, as a share of the bytes that the arithmetic peak could consume. */
const gatherBytesPerFlop = 0.5

/** The causes in the order of the time that they cost, the costliest first; empty where nothing stands out. */
export function diagnose(input: DiagnosisInput): Diagnosis[] {
  const { shape, pattern, ceilings, sparseMilliseconds: measured } = input
  const arithmetic = (executedWork(shape, pattern) / ceilings.multiplyAdd) * 1e3
  const found: (Diagnosis & { cost: number })[] = []
  const name = (code: DiagnosisCode, cost: number, share: number, sentence: string): void => {
    if (cost >= share * measured) found.push({ code, cost, sentence })
  }

  const launch = input.threads > 1 ? wakeMilliseconds : wakeMilliseconds / 10
  name(
    'launch-bound',
    launch,
    0.4,
    `One product takes ${shown(measured)} ms, and starting it alone about ${shown(launch)} ms: no pattern can shrink that; use fewer threads or larger products.`,
  )

  // With rows in the lanes, up to three columns need no full vectors.
  const usedLanes = shape.columns <= 3 ? input.lanes : Math.ceil(shape.columns / input.lanes) * input.lanes
  const idleLanes = shape.columns <= 3 ? 0 : usedLanes / shape.columns - 1
  name(
    'batch-too-small',
    idleLanes * arithmetic,
    0.2,
    `${shape.columns} activation columns fill ${Math.round((100 * shape.columns) / usedLanes)} % of the vector lanes; the rest computes nothing.`,
  )

  const moved = (movedBytes(shape, input.weightBytes) / ceilings.bandwidth) * 1e3
  if (moved > arithmetic)
    name(
      'memory-bound',
      moved,
      0.5,
      `The product is bound by the ${megabytes(movedBytes(shape, input.weightBytes))} MB that it reads (${shown(moved)} ms from memory, ${shown(measured)} ms measured): the gain is that of the bytes (${(denseBytes(shape) / movedBytes(shape, input.weightBytes)).toFixed(1)}×), not that of the work.`,
    )

  const paddedRows = Math.ceil(Math.min(pattern.vector, shape.rows) / rowQuad) * rowQuad
  const padding = paddedRows / Math.min(pattern.vector, shape.rows) - 1
  name(
    'padding',
    padding * arithmetic,
    0.15,
    `Tiles of ${pattern.vector} rows are padded to ${paddedRows}: ${Math.round(100 * padding)} % more work than the pattern asks for; choose V as a multiple of ${rowQuad}.`,
  )

  const gather = (gatheredBytes(shape, pattern) / (ceilings.multiplyAdd * gatherBytesPerFlop)) * 1e3
  if (shape.columns > 3)
    name(
      'gather-bound',
      gather,
      0.25,
      `Every gathered activation serves only the ${pattern.vector} rows of its tile: copying takes about ${shown(gather)} ms of ${shown(measured)} ms; a larger V shares it among more rows.`,
    )

  const left = executedWork(shape, pattern) / denseWork(shape)
  const densePeak = denseWork(shape) / (input.denseMilliseconds / 1e3) / ceilings.multiplyAdd
  if (measured >= input.denseMilliseconds * 0.95 && left > 0.5 * densePeak)
    found.push({
      code: 'dense-simply-better',
      cost: 0,
      sentence: `The pattern leaves ${Math.round(100 * left)} % of the work, and the dense product reaches ${Math.round(100 * densePeak)} % of the peak: a sparse kernel would have to be nearly perfect to win; prune more.`,
    })
  return found.sort((a, b) => b.cost - a.cost).map(({ code, sentence }) => ({ code, sentence }))
}

const denseBytes = (shape: ProductShape): number => movedBytes(shape, shape.rows * shape.cols * 4)
const shown = (milliseconds: number): string => milliseconds.toPrecision(2)
const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1)
