import { addon, runJob, type Job } from './addon.ts'
import type { Packed } from './kernels.ts'

/** What the machine says of itself, or why it does not. Never 0 for unknown. */
interface DeviceFact {
  value: string | number | boolean | null
  /** Present where value is null. */
  reason?: string
}

/** One GPU. */
interface Device {
  /** Number by which the driver knows it. */
  ordinal: number
  /** Whether the kernels of this build run on it. */
  usable: boolean
  /** Why not, one sentence; null when usable. */
  reason: string | null
  /**
   * From the driver: name, uuid, computeCapability, memoryBytes, multiprocessors, l2Bytes, sharedPerBlockBytes, clockMhz,
   * memoryBusBits, cudaVersion. From NVIDIA's management library: driverVersion, ecc, mig, persistence, powerLimitWatts,
   * powerLimitDefaultWatts, smClockMaxMhz, memoryClockMaxMhz; where that library is absent one fact `management` says so.
   */
  facts: Record<string, DeviceFact>
}

export interface DeviceList {
  /** CUDA version that the driver supports, or why there is no driver. */
  driver: DeviceFact
  devices: Device[]
}

export interface GpuTimingRequest {
  /** 2:4, 1:4 or whole vectors; other n:m have no GPU kernel and are refused. */
  packed: Packed
  /** M×K row-major, masked or not: the dense baseline multiplies it as it is. */
  weights: Float32Array
  /** N, activation columns. */
  columns: number
  /** Of weights, activations and outputs; sums are float32. */
  type: 'bf16' | 'f16'
  seed: number
  /** Wall seconds of sampling at most; tuning comes before it. */
  limitSeconds: number
  /** Ordinal of the GPU. */
  device: number
}

interface GpuTimes {
  name: string
  /** Milliseconds of one call, in the order the samples were taken. */
  samples: Float64Array
  /** Calls replayed in one sample. */
  callsPerSample: number
  /** Why there are no samples; null when there are. */
  failure: string | null
}

/** The device while it works. */
interface DeviceMoment {
  smClockMhz: DeviceFact
  memoryClockMhz: DeviceFact
  temperatureC: DeviceFact
  powerWatts: DeviceFact
  energyJoules: DeviceFact
  throttle: DeviceFact
}

export interface GpuTiming {
  /** Kernel and split that tuning found fastest. */
  kernel: string
  weightBytes: number
  /** Frobenius, against the float64 product of the same 16-bit inputs on the device; infinite when anything was not finite. */
  relativeError: number
  tolerance: number
  /** False: the answer is wrong, there are no samples, and the figure may not be ranked. */
  passed: boolean
  /** Packing and tuning, a one-time cost. */
  tuningSeconds: number
  sparse: GpuTimes
  /** Dense baselines that are present, sampled in turns with the sparse product. */
  dense: GpuTimes[]
  absent: { name: string; reason: string }[]
  /** Why sampling stopped. */
  stopped: string
  /** Null where the management library is absent. */
  before: DeviceMoment | null
  after: DeviceMoment | null
}

interface DeviceAddon {
  devices(job: object): Promise<DeviceList>
  timeGpuProduct(request: GpuTimingRequest, job: object): Promise<GpuTiming>
}
const native = (): DeviceAddon => addon() as unknown as DeviceAddon

/** The GPUs of this machine. A machine without any is an empty list and a reason, not an error. */
export const devices = (job?: Job): Promise<DeviceList> => runJob(job, (control) => native().devices(control))

/**
 * Tunes, verifies and times the packed product on a GPU beside the dense baselines. Rejects with DEVICE_UNAVAILABLE and a
 * sentence where there is no GPU that will do.
 */
export const timeGpuProduct = (request: GpuTimingRequest, job?: Job): Promise<GpuTiming> => runJob(job, (control) => native().timeGpuProduct(request, control))
