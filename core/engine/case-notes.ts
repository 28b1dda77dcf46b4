import { availableParallelism, loadavg } from 'node:os'
import type { CaseSpec } from '../../contract/case.ts'
import type { LayerInfo } from '../../contract/model.ts'
import type { LayerOutcome } from './prune-layer.ts'
import type { RunSettings } from './protocol.ts'

/** What a reader has to know beside the figures of a case, one sentence each. */
export function caseNotes(
  spec: CaseSpec,
  settings: RunSettings,
  outcomes: readonly LayerOutcome[],
  layers: readonly LayerInfo[],
  calibration: number,
): string[] {
  const notes: string[] = []
  const pruned = outcomes.filter(({ result }) => result.status === 'done')
  const dense = layers.length - pruned.length
  if (spec.pattern.kind !== 'dense' && dense > 0) {
    notes.push(`Sparsity is counted over the ${pruned.length} pruned layers; ${dense} of the ${layers.length} weights stay dense.`)
  }
  const without = pruned.filter(({ order }) => order.strategy !== spec.strategy)
  if (without.length > 0) notes.push(`Permutation: none (${without[0]?.order.reason ?? 'no reason given'}) in ${without.length} of ${pruned.length} layers.`)
  notes.push(...timingNotes(settings, outcomes))
  if (settings.accuracy && settings.excludeCalibration && calibration > 0) {
    notes.push(`Accuracy leaves the ${calibration} calibration samples out in every case of this run, because some case reads them.`)
  }
  return notes
}

function timingNotes({ columns, threads }: RunSettings, outcomes: readonly LayerOutcome[]): string[] {
  const timings = outcomes.flatMap(({ timing }) => timing ?? [])
  if (timings.length === 0) return []
  const baselines = [...new Set(timings.map(({ baseline }) => baseline))].sort().join(', ')
  const absent = [...new Map(timings.flatMap((timing) => timing.absent).map((entry) => [entry.name, entry])).values()]
  return [
    ...busyNote(threads),
    `Times are medians at N = ${columns} activation columns on ${threads} ${threads === 1 ? 'thread' : 'threads'}, operands warm, samples interleaved; fastest dense baseline: ${baselines}.`,
    ...absent.map(({ name, reason }) => `Dense baseline ${name} was not timed: ${reason}.`),
  ]
}

/** The load average counts this case too, so only what goes beyond its threads and the processors is other work. */
function busyNote(threads: number): string[] {
  const [load = 0] = loadavg()
  const processors = availableParallelism()
  return load > processors + threads
    ? [`The machine was busy with other work (load ${load.toFixed(1)} on ${processors} processors), so times are uncertain.`]
    : []
}
