import { milliseconds, type Milliseconds } from '../../contract/units.ts'

/**
 * The least time that a product can take on a GPU, from what it must compute and move. Four things can bind it: the tensor
 * cores, device memory, the way from the L2 cache to the multiprocessors, and shared memory. For vector sparsity the third
 * decides: a gathered activation serves only the V rows of its tile, so it crosses that way M/V times.
 */

/** What a device can do at most, measured where possible. */
export interface GpuCeilings {
  /** Dense 16-bit products with float32 accumulation, FLOP/s; 2:4 doubles it. */
  tensor: number
  /** Device memory, bytes/s. */
  memory: number
  /** From L2 to the multiprocessors, bytes/s, all together. */
  cache: number
  /** Shared memory, bytes/s, all multiprocessors together. */
  shared: number
}

/**
 * H200: dense bf16 and copy bandwidth as measured on such a machine; shared memory 128 bytes a clock on 132
 * multiprocessors at 1.755 GHz. From L2, 5.5 TB/s is the cautious end and 9 TB/s the bold end of what is believed.
 */
export const h200 = (cache: number): GpuCeilings => ({ tensor: 788e12, memory: 4.3e12, cache, shared: 132 * 128 * 1.755e9 })

export interface FloorShape {
  /** M, output channels. */
  rows: number
  /** K, input channels. */
  cols: number
  /** N, activation columns. */
  columns: number
}

export interface FloorPattern {
  /** Share of column vectors that are kept; 1 for plain 2:4. */
  kept: number
  /** V, rows that share a column list. */
  vector: number
  twoFour: boolean
}

const floorBounds = ['tensor', 'memory', 'cache', 'shared'] as const
export type FloorBound = (typeof floorBounds)[number]

export interface Floor {
  times: Record<FloorBound, Milliseconds>
  /** The longest of the four: nothing can be faster. */
  floor: Milliseconds
  bound: FloorBound
}

/** Activation columns that one block multiplies, at most. */
const blockColumns = 256
const bytesOfValue = 2
/** Bytes of metadata a kept value: two bits. */
const bytesOfSelection = 0.25
/** A column index serves all rows of a tile. */
const bytesOfIndex = 4
/** Rows that one read of an activation from shared memory serves: a warpgroup multiplies 64. */
const rowsOfWarpgroup = 64

const inMilliseconds = (seconds: number): Milliseconds => milliseconds(seconds * 1e3)

/** Dense products read W and X once and write Y once, all 16-bit. */
export function denseFloor({ rows, cols, columns }: FloorShape, ceilings: GpuCeilings): Milliseconds {
  const bytes = (rows * cols + cols * columns + rows * columns) * bytesOfValue
  return inMilliseconds(Math.max((2 * rows * cols * columns) / ceilings.tensor, bytes / ceilings.memory))
}

export function sparseFloor(shape: FloorShape, pattern: FloorPattern, ceilings: GpuCeilings): Floor {
  const { rows, cols, columns } = shape
  const keptColumns = cols * pattern.kept
  const tiles = rows / pattern.vector
  const width = Math.min(blockColumns, Math.max(8, columns))
  const blocks = Math.ceil(columns / width)
  const valuesOfRow = pattern.twoFour ? keptColumns / 2 : keptColumns
  const bytesOfKept = bytesOfValue + (pattern.twoFour ? bytesOfSelection : 0)
  const weightBytes = rows * valuesOfRow * bytesOfKept + tiles * keptColumns * bytesOfIndex
  const outputBytes = rows * columns * bytesOfValue
  const rate = pattern.twoFour ? 2 * ceilings.tensor : ceilings.tensor
  // Activations are written to shared memory once and read once for every 64 rows; values are written and read.
  const activationPasses = 1 + Math.max(1, pattern.vector / rowsOfWarpgroup)
  const sharedBytes = tiles * blocks * (keptColumns * width * bytesOfValue * activationPasses + 2 * pattern.vector * valuesOfRow * bytesOfKept)
  const times = {
    tensor: inMilliseconds((2 * rows * keptColumns * columns) / rate),
    memory: inMilliseconds((weightBytes + cols * columns * bytesOfValue + outputBytes) / ceilings.memory),
    cache: inMilliseconds((tiles * keptColumns * columns * bytesOfValue + weightBytes * blocks + outputBytes) / ceilings.cache),
    shared: inMilliseconds(sharedBytes / ceilings.shared),
  }
  const bound = floorBounds.reduce((longest, each) => (times[each] > times[longest] ? each : longest))
  return { times, floor: times[bound], bound }
}
