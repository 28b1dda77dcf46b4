import type { ProductCheck } from '../../native/kernels.ts'
import type { CacheState, MachinePeaks, NativeBackend } from '../../native/measuring.ts'

/** Messages between a benchmark and the process of one contestant. */

export const backends = ['sparse', 'openblas', 'onednn', 'onnxruntime', 'own'] as const satisfies readonly (NativeBackend | 'onnxruntime')[]
export type Backend = (typeof backends)[number]

/** One product to be timed, the same for every contestant; `backend` says who computes it. */
export interface ContestantSpec {
  backend: Backend
  rows: number
  cols: number
  columns: number
  vector: number
  keptColumns: number
  n: number
  m: number
  seed: number
  valueType: 'float32' | 'bfloat16'
  threads: number
  caches: CacheState
}

export interface ContestantInfo {
  /** Library and version, or the kernel. */
  name: string
  operandSets: number
  packMilliseconds: number
  /** The first call of the process, apart from all others. */
  firstCallMilliseconds: number
  bytes: number
  theoryBytes: number
  denseBytes: number
  check: ProductCheck
}

export interface SampleBlock {
  /** Milliseconds of one call, in the order taken. */
  wall: number[]
  processor: number[]
}

export type ContestantRequest =
  | { id: number; kind: 'open'; spec: ContestantSpec }
  | { id: number; kind: 'sample'; samples: number; calls: number }
  | { id: number; kind: 'peaks' | 'multiplyAddPeak'; threads: number }

export type ContestantReply =
  | { id: number; info: ContestantInfo }
  | { id: number; block: SampleBlock }
  | { id: number; peaks: MachinePeaks }
  | { id: number; multiplyAdd: number }
  | { id: number; code: string; message: string }
