import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Lease } from '../../db/leases.ts'

/** Seconds between two signs of life in the history. */
export const beatSeconds = 1
/** An owner on another machine, or one whose process cannot be looked up, is gone after this long without a sign. */
const goneAfterSeconds = 60

export type Owner = Pick<Lease, 'owner' | 'machine' | 'pid' | 'processStart'>

/** This process as the owner of runs. The machine is hashed: a history never tells its name. */
export const thisOwner = (): Owner => ({ owner: randomUUID(), machine: machineDigest(), pid: process.pid, processStart: processStart(process.pid) })

const machineDigest = (): string => createHash('sha256').update(`hinm ${hostname()}`).digest('hex').slice(0, 16)

/**
 * When a process began, in clock ticks since boot with the boot's id: a number that is given to a later process is
 * told apart from the first one. Null where the system does not tell (anything but Linux).
 */
function processStart(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // Field 22; the name in field 2 may hold spaces and brackets, so counting begins behind its last bracket.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${ticks}`
  } catch {
    return null
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (thrown) {
    // EPERM: it lives and belongs to someone else.
    return (thrown as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Whether the process that holds a lease still lives, judged by `self` at `now` (milliseconds since 1970). */
export function isAlive(lease: Lease, self: Owner, now: number): boolean {
  if (lease.owner === self.owner) return true
  if (lease.machine !== self.machine) return now - lease.beatAt < goneAfterSeconds * 1000
  if (!exists(lease.pid)) return false
  if (lease.processStart !== null) return processStart(lease.pid) === lease.processStart
  return now - lease.beatAt < goneAfterSeconds * 1000
}
