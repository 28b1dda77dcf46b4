import { readdirSync, readFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Fact } from '../../contract/environment.ts'
import { buildInfo } from '../../native/addon.ts'

const unknown = (reason: string): Fact => ({ value: null, reason })

/** What Linux shows of itself in files; `root` is another folder in tests. */
function read(root: string, path: string): string | null {
  try {
    return readFileSync(join(root, path), 'utf8').trim()
  } catch {
    return null
  }
}

const notShown = (what: string): string => `the system does not show ${what}, as is usual in a virtual machine and outside Linux`

function governor(root: string): Fact {
  const text = read(root, 'sys/devices/system/cpu/cpu0/cpufreq/scaling_governor')
  return text ? { value: text } : unknown(notShown('its frequency control'))
}

/** Processor cores with at least one thread, counted by socket and core number. */
function cores(root: string): Fact {
  const text = read(root, 'proc/cpuinfo') ?? ''
  const pairs = text.split('\n\n').flatMap((block) => {
    const socket = /^physical id\s*: (\d+)$/m.exec(block)?.[1]
    const core = /^core id\s*: (\d+)$/m.exec(block)?.[1]
    return socket !== undefined && core !== undefined ? [`${socket}/${core}`] : []
  })
  return pairs.length > 0 ? { value: new Set(pairs).size } : unknown(notShown('which threads share a core'))
}

/** Data caches of the first thread, smallest first, e.g. "L1 32K, L2 1024K, L3 32768K". */
function caches(root: string): Fact {
  const folder = 'sys/devices/system/cpu/cpu0/cache'
  let entries: string[] = []
  try {
    entries = readdirSync(join(root, folder)).filter((name) => /^index\d+$/.test(name))
  } catch {
    // An empty list is reported below.
  }
  const found = entries.sort().flatMap((name) => {
    const [level, type, size] = ['level', 'type', 'size'].map((part) => read(root, join(folder, name, part)))
    return level && size && type !== 'Instruction' ? [`L${level} ${size}`] : []
  })
  return found.length > 0 ? { value: found.join(', ') } : unknown(notShown('its caches'))
}

function load(): Fact {
  const [lastMinute] = loadavg()
  return process.platform === 'win32' || lastMinute === undefined ? unknown('this system keeps no load average') : { value: lastMinute }
}

/** What a time measured on this processor has to carry. No names, serials or paths. */
export function processorFacts(root = '/'): Record<string, Fact> {
  const processors = cpus()
  const { type, compiler, flags } = buildInfo()
  return {
    'cpu.model': processors[0] ? { value: processors[0].model.trim() } : unknown('the system lists no processor'),
    'cpu.threads': { value: processors.length },
    'cpu.cores': cores(root),
    'cpu.governor': governor(root),
    'cpu.caches': caches(root),
    'system.load': load(),
    'memory.bytes': { value: totalmem() },
    'native.build': { value: type },
    'native.compiler': { value: compiler },
    'native.flags': { value: flags },
  }
}
