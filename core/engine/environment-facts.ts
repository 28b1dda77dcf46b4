import { readFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import type { Fact } from '../../contract/environment.ts'
import { failureOf } from '../../contract/error.ts'
import { buildInfo, type BuildInfo } from '../../native/addon.ts'
import { gpuFacts } from './gpu-facts.ts'

/** What a result measured here has to carry (the minimum of MEASURING.md, section 1). No names, serials or paths. */
export async function environmentFacts(): Promise<Record<string, Fact>> {
  const processors = cpus()
  return {
    'cpu.model': processors[0] ? { value: processors[0].model.trim() } : unknown('the system lists no processor'),
    'cpu.threads': { value: processors.length },
    'cpu.governor': frequencyGovernor(),
    'memory.bytes': { value: totalmem() },
    'os.release': { value: release() },
    node: { value: process.versions.node },
    ...nativeFacts(),
    ...(await gpuFacts()),
    onnxruntime: await onnxruntimeVersion(),
  }
}

const unknown = (reason: string): Fact => ({ value: null, reason })

function frequencyGovernor(): Fact {
  if (process.platform !== 'linux') return unknown('this system does not tell how it sets the processor frequency')
  try {
    return { value: readFileSync('/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor', 'utf8').trim() }
  } catch {
    return unknown('the system does not show the frequency control, as is usual in a virtual machine')
  }
}

function nativeFacts(): Record<string, Fact> {
  let build: BuildInfo
  try {
    build = buildInfo()
  } catch (thrown) {
    return { 'native.build': unknown(failureOf(thrown).message) }
  }
  const cuda: Fact = build.cuda.startsWith('embedded') ? { value: build.cuda } : unknown(build.cuda)
  return { 'native.build': { value: build.type }, 'native.compiler': { value: build.compiler }, 'native.flags': { value: build.flags }, 'native.cuda': cuda }
}

async function onnxruntimeVersion(): Promise<Fact> {
  try {
    const { env } = await import('onnxruntime-node')
    return { value: env.versions.node ?? env.versions.common }
  } catch {
    return unknown('the optional package onnxruntime-node could not be loaded, so accuracy cannot be measured')
  }
}
