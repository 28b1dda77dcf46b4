import { addon, runJob, type Job } from './addon.ts'
import type { Order } from './permutation.ts'
import type { Mask, PatternParameters } from './sparsity.ts'

declare const packedBrand: unique symbol
/** Packed weights that stay in native memory; freed when JavaScript drops the handle. */
export interface Packed {
  readonly [packedBrand]: true
  readonly rows: number
  readonly cols: number
  /** Bytes as stored: values, metadata, column lists, row list, padding. */
  readonly bytes: number
  /** Bytes that the pattern needs in theory: values and selection bits only. */
  readonly theoryBytes: number
  /** Bytes of the same weights dense, in the same type. */
  readonly denseBytes: number
  /** Name of the kernel that will multiply it. */
  readonly kernel: string
}

export interface PackRequest {
  /** M×K row-major, original order. */
  weights: Float32Array
  rows: number
  cols: number
  pattern: PatternParameters
  order: Order
  mask: Mask
}

export interface ProductCheck {
  /** ‖Y − Y_ref‖ / ‖Y_ref‖, Frobenius, against dense (W∘mask)·X in float64. */
  relativeError: number
  /** Largest absolute difference. */
  maxError: number
  /** What the kernel must reach, and did or did not. */
  tolerance: number
  passed: boolean
}

export interface ProductTiming {
  /** Milliseconds of every sample, in the order they were taken. */
  sparse: Float64Array
  /** The same for every dense baseline that is present, interleaved with the sparse samples. */
  dense: { name: string; samples: Float64Array }[]
  /** Baselines that are absent, with the reason. */
  absent: { name: string; reason: string }[]
  /** Calls timed together as one sample, because one call is below the timer's resolution. */
  callsPerSample: number
  /** Why sampling stopped. */
  stopped: string
}

export interface TimingRequest {
  packed: Packed
  /** M×K row-major, masked or not: the dense baselines multiply it as it is. */
  weights: Float32Array
  /** N, activation columns. */
  columns: number
  threads: number
  seed: number
  /** Wall seconds at most. */
  limitSeconds: number
}

interface KernelsAddon {
  pack(request: PackRequest, job: object): Promise<Packed>
  multiply(packed: Packed, activations: Float32Array, columns: number, threads: number, job: object): Promise<Float32Array>
  checkProduct(packed: Packed, weights: Float32Array, mask: Mask, columns: number, seed: number, job: object): Promise<ProductCheck>
  timeProduct(request: TimingRequest, job: object): Promise<ProductTiming>
}
const native = (): KernelsAddon => addon() as unknown as KernelsAddon

/** Packs masked weights under their order and verifies the round trip. Rejects with VERIFICATION_FAILED otherwise. */
export const pack = (request: PackRequest, job?: Job): Promise<Packed> => runJob(job, (control) => native().pack(request, control))

/** Y = W·X in the original order of output channels; X is cols×columns row-major (K-major), Y rows×columns. */
export const multiply = (packed: Packed, activations: Float32Array, columns: number, threads: number, job?: Job): Promise<Float32Array> =>
  runJob(job, (control) => native().multiply(packed, activations, columns, threads, control))

/** The packed product on random activations against float64, output poisoned before; NaN never passes. */
export const checkProduct = (packed: Packed, weights: Float32Array, mask: Mask, columns: number, seed: number, job?: Job): Promise<ProductCheck> =>
  runJob(job, (control) => native().checkProduct(packed, weights, mask, columns, seed, control))

/** Times the packed product beside every dense baseline that is present, samples interleaved. */
export const timeProduct = (request: TimingRequest, job?: Job): Promise<ProductTiming> => runJob(job, (control) => native().timeProduct(request, control))
