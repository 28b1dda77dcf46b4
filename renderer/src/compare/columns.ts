import type { CaseRecord } from '../../../contract/case.ts'
import { caseLabel } from '../../../contract/case-label.ts'
import type { RunDetail } from '../../../contract/run.ts'
import type { Pick } from '../stores/basket.ts'

/** One side of a comparison: a case with the run that it belongs to. */
export interface ComparedCase {
  run: RunDetail
  record: CaseRecord
  label: string
}

/** The cases that the picks stand for: a picked case, or every case of a picked run. */
export function comparedCases(picks: readonly Pick[], runs: ReadonlyMap<number, RunDetail>): ComparedCase[] {
  return picks.flatMap((pick) => {
    const run = runs.get(pick.run)
    if (!run) return []
    return run.cases.filter((record) => pick.case === null || record.id === pick.case).map((record) => ({ run, record, label: caseLabel(record.spec) }))
  })
}

/** What makes two cases of different runs the same question. */
export function caseKey(record: CaseRecord): string {
  const { model, layer, pattern, strategy, saliency, correction, seed, budget } = record.spec
  return JSON.stringify([model, layer, pattern, pattern.kind === 'dense' ? null : strategy, saliency, correction, seed, budget])
}
