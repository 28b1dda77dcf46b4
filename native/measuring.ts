import { addon, runJob, type Job } from './addon.ts'
import type { ProductCheck } from './kernels.ts'

/** Dense and sparse products of one random layer that can be timed one by one, each best in a process of its own. */
export const nativeBackends = ['sparse', 'openblas', 'onednn', 'own'] as const
export type NativeBackend = (typeof nativeBackends)[number]

/** warm: the same operands each call; rotating: sets of at least twice the last-level cache; cold: caches overwritten before each call. */
export const cacheStates = ['warm', 'rotating', 'cold'] as const
export type CacheState = (typeof cacheStates)[number]

export interface ContestantRequest {
  backend: NativeBackend
  /** M×K weights, normal, made from `seed` alone: every process makes the same layer. */
  rows: number
  cols: number
  /** V, K' and n:m of the sparse product; n = m keeps every packed column. */
  vector: number
  keptColumns: number
  n: number
  m: number
  seed: number
  /** Of the sparse weights; sums are float32. */
  valueType: 'float32' | 'bfloat16'
  /** N, activation columns. */
  columns: number
  threads: number
  caches: CacheState
}

export type OperandsRequest = Omit<ContestantRequest, 'backend' | 'valueType' | 'threads' | 'caches'>

/** The weights (rows × cols) and activations (cols × columns) of a contestant with these numbers. */
export interface RandomOperands {
  weights: Float32Array
  activations: Float32Array
}

declare const contestantBrand: unique symbol
export interface Contestant {
  readonly [contestantBrand]: true
  readonly name: string
  readonly operandSets: number
  /** One-time cost of packing and verifying; 0 for a dense product. */
  readonly packMilliseconds: number
  readonly bytes: number
  readonly theoryBytes: number
  readonly denseBytes: number
}

/** Milliseconds of one call, every sample in the order taken; `processor` counts all threads of the process. */
export interface Samples {
  wall: Float64Array
  processor: Float64Array
}

export interface MachinePeaks {
  /** FLOP/s of fused multiply-adds in registers. */
  multiplyAdd: number
  /** Bytes/s read from memory. */
  bandwidth: number
  instructionSet: string
}

interface MeasuringAddon {
  randomOperands(request: OperandsRequest): RandomOperands
  openContestant(request: ContestantRequest, job: object): Promise<Contestant>
  sampleContestant(contestant: Contestant, samples: number, calls: number): Samples
  checkContestant(contestant: Contestant): ProductCheck
  multiplyAddPeak(threads: number): number
  machinePeaks(threads: number, job: object): Promise<MachinePeaks>
}
const native = (): MeasuringAddon => addon() as unknown as MeasuringAddon

/** For a contestant that computes in JavaScript's reach. Blocks the thread. */
export const randomOperands = (request: OperandsRequest): RandomOperands => native().randomOperands(request)

/** Rejects with LIBRARY_NOT_FOUND and the loader's reason where a dense library is absent. */
export const openContestant = (request: ContestantRequest, job?: Job): Promise<Contestant> =>
  runJob(job, (control) => native().openContestant(request, control))

/** Blocks the thread until `samples` samples of `calls` calls are taken. */
export const sampleContestant = (contestant: Contestant, samples: number, calls: number): Samples => native().sampleContestant(contestant, samples, calls)

/** Every operand set once against float64, output poisoned before; NaN never passes. Blocks the thread. */
export const checkContestant = (contestant: Contestant): ProductCheck => native().checkContestant(contestant)

/** The arithmetic peak of so many threads, FLOP/s; blocks the thread for milliseconds. */
export const multiplyAddPeak = (threads: number): number => native().multiplyAddPeak(threads)

/** What the machine can do at most with so many threads; takes a few tenths of a second. */
export const machinePeaks = (threads: number, job?: Job): Promise<MachinePeaks> => runJob(job, (control) => native().machinePeaks(threads, control))
