import { addon, runJob, type Job } from './addon.ts'

/** What the machine says of itself, or why it does not. Never 0 for unknown. */
export interface DeviceFact {
  value: string | number | boolean | null
  /** Present where value is null. */
  reason?: string
}

/** One GPU. */
export interface Device {
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

interface DeviceAddon {
  devices(job: object): Promise<DeviceList>
}
const native = (): DeviceAddon => addon() as unknown as DeviceAddon

/** The GPUs of this machine. A machine without any is an empty list and a reason, not an error. */
export const devices = (job?: Job): Promise<DeviceList> => runJob(job, (control) => native().devices(control))
