import type { Fact } from '../../contract/environment.ts'
import { failureOf } from '../../contract/error.ts'
import { devices } from '../../native/device.ts'

/** Fields that would name one particular card. */
const identifying = new Set(['uuid'])

/** The GPUs of this machine as facts "gpu.…", "gpu1.…"; without one, the sentence that says why. */
export async function gpuFacts(): Promise<Record<string, Fact>> {
  let list
  try {
    list = await devices()
  } catch (thrown) {
    return { 'gpu.driver': { value: null, reason: failureOf(thrown).message } }
  }
  const facts: Record<string, Fact> = { 'gpu.driver': list.driver }
  for (const device of list.devices) {
    const prefix = device.ordinal === 0 ? 'gpu' : `gpu${device.ordinal}`
    facts[`${prefix}.kernels`] = device.usable ? { value: true } : { value: null, reason: device.reason ?? 'no reason was given' }
    for (const [name, fact] of Object.entries(device.facts)) {
      if (!identifying.has(name)) facts[`${prefix}.${name}`] = fact
    }
  }
  return facts
}
