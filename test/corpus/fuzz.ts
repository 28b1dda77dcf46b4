import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '../../contract/error.ts'
import { openModel } from '../../core/model/open-model.ts'
import { validFiles } from './manifest.ts'

/** What a run of random inputs came to. `faults` must stay empty: every input opens or is refused with a sentence. */
export interface FuzzReport {
  inputs: number
  opened: number
  refused: number
  faults: { file: string; seed: number; what: string }[]
  /** The longest that one input took. */
  slowestMs: number
}

/** A reader that needs longer for a file of a few kilobytes hangs, for all that a user can tell. */
const longestMs = 1000
/** Files of the corpus are small; a reader may take twice a file and the buffers of the runtime, never a size that the file merely claims. */
const greatestGrowth = 64 * 2 ** 20

/**
 * Opens `count` mutations of valid files of every format and reads all their layers.
 * @param seed of the first mutation; a fault names the seed that repeats it
 */
export async function fuzz(seed: number, count: number): Promise<FuzzReport> {
  const folder = await mkdtemp(join(tmpdir(), 'hinm-fuzz-'))
  const report: FuzzReport = { inputs: 0, opened: 0, refused: 0, faults: [], slowestMs: 0 }
  try {
    for (let i = 0; i < count; i++) {
      const base = validFiles[i % validFiles.length]!
      await one(folder, base.file, mutated(base.bytes, seed + i), seed + i, report)
    }
  } finally {
    await rm(folder, { recursive: true })
  }
  return report
}

async function one(folder: string, file: string, bytes: Uint8Array, seed: number, report: FuzzReport): Promise<void> {
  const path = join(folder, file)
  await writeFile(path, bytes)
  const fault = (what: string): void => {
    report.faults.push({ file, seed, what })
  }
  const before = process.memoryUsage()
  const begun = performance.now()
  report.inputs += 1
  try {
    const model = await openModel(path)
    for (const { name } of model.info.layers) readLayer(() => model.weights(name))
    report.opened += 1
  } catch (error) {
    if (error instanceof AppError && error.code !== 'INTERNAL') report.refused += 1
    else fault(error instanceof Error ? `${error.name}: ${error.message}` : String(error))
  }
  const took = performance.now() - begun
  const after = process.memoryUsage()
  report.slowestMs = Math.max(report.slowestMs, took)
  if (took > longestMs) fault(`took ${Math.round(took)} ms`)
  const growth = after.external + after.heapTotal - before.external - before.heapTotal
  if (growth > greatestGrowth + 2 * bytes.length) fault(`took ${Math.round(growth / 2 ** 20)} MiB of memory`)
}

/** Values that do not fit their shape are refused when they are read. */
function readLayer(read: () => unknown): void {
  try {
    read()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
}

/** One to eight changes: bits, bytes, interesting numbers, cuts, copies and removals, by a counter-based generator. */
export function mutated(bytes: Uint8Array, seed: number): Uint8Array {
  const random = generator(seed)
  const below = (limit: number): number => Math.floor(random() * limit)
  let result = Uint8Array.from(bytes)
  for (let changes = 1 + below(8); changes > 0 && result.length > 0; changes--) result = changeKinds[below(changeKinds.length)]!(result, below)
  return result
}

type Below = (limit: number) => number

/** Bytes at the edges of lengths and signs. */
const edges = [0, 1, 0x7f, 0x80, 0xff, 0x0a, 0x22, 0x2e, 0x7b, 0x5b]

const changeKinds: ((bytes: Uint8Array, below: Below) => Uint8Array<ArrayBuffer>)[] = [
  (bytes, below) => withByte(bytes, below, (byte) => byte ^ (1 << below(8))),
  (bytes, below) => withByte(bytes, below, () => below(256)),
  (bytes, below) => withByte(bytes, below, () => edges[below(edges.length)]!),
  (bytes, below) => Uint8Array.from(bytes.subarray(0, below(bytes.length))),
  (bytes, below) => {
    const at = below(bytes.length)
    return Uint8Array.from([...bytes.subarray(0, at), ...bytes.subarray(at + 1 + below(16))])
  },
  (bytes, below) => {
    const [from, to] = [below(bytes.length), below(bytes.length)]
    return Uint8Array.from([...bytes.subarray(0, to), ...bytes.subarray(from, from + 1 + below(64)), ...bytes.subarray(to)])
  },
  (bytes, below) => {
    const result = Uint8Array.from(bytes)
    result.fill(0xff, below(bytes.length), below(bytes.length))
    return result
  },
]

/** Headers decide more than values do, so half of the changes fall into the first 256 bytes. */
function withByte(bytes: Uint8Array, below: Below, change: (byte: number) => number): Uint8Array<ArrayBuffer> {
  const result = Uint8Array.from(bytes)
  const at = below(2) === 0 ? below(Math.min(256, bytes.length)) : below(bytes.length)
  result[at] = change(result[at]!)
  return result
}

function generator(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

if (import.meta.main) {
  const count = Number(process.argv[2] ?? 100_000)
  const seed = Number(process.argv[3] ?? 1)
  const report = await fuzz(seed, count)
  console.log(
    `${report.inputs} inputs: ${report.opened} opened, ${report.refused} refused, ${report.faults.length} faults; slowest ${report.slowestMs.toFixed(0)} ms`,
  )
  for (const { file, seed: which, what } of report.faults.slice(0, 20)) console.log(`fault: ${file}, seed ${which}: ${what}`)
  process.exitCode = report.faults.length === 0 ? 0 : 1
}
