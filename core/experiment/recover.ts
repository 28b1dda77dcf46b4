import type { RunStatus } from '../../contract/run.ts'
import type { History } from '../../db/history.ts'
import { isAlive, type Owner } from './owner.ts'

const status: RunStatus = 'interrupted'
export const interruptedReason = 'The application that ran it ended before the run did; finished cases are kept, and resume goes on with the rest.'

/**
 * Finds runs that say "running" while the process that ran them is gone, and says so in the history. The case that
 * was in flight is the only one that is lost.
 * @returns the runs that were found.
 */
export async function recoverInterrupted(history: History, self: Owner, now: () => number): Promise<number[]> {
  if (history.readOnly || deadRuns(history, self, now()).length === 0) return []
  return await history.write(() => {
    const dead = deadRuns(history, self, now())
    for (const id of dead) {
      history.leases.drop(id)
      history.cases.endRunning(id, 'The application ended while this case ran.')
      history.runs.setStatus(id, status, interruptedReason, now())
      const seq = history.runs.lastSequence(id) + 1
      history.runs.reserveSequence(id, seq)
      history.events.add(id, seq, now(), { type: 'ended', status, reason: interruptedReason })
    }
    return dead
  })
}

function deadRuns(history: History, self: Owner, now: number): number[] {
  const leases = new Map(history.leases.all().map((lease) => [lease.runId, lease]))
  return history.runs.withStatus('running').filter((id) => {
    const lease = leases.get(id)
    return !lease || !isAlive(lease, self, now)
  })
}
