import type { CaseRecord, LayerResult } from '../../contract/case.ts'
import { askedSparsity, patternName, vectorOf } from '../../contract/pattern.ts'
import type { Report, ReportCase } from '../../contract/report.ts'
import type { RunDetail } from '../../contract/run.ts'

/** A run as one report: a row a case and, below it, a row a layer. */
export const reportOf = (run: RunDetail): Report => ({
  schema: 'hinm-report/1',
  runId: run.id,
  environment: run.environment,
  cases: run.cases.flatMap((record) => [caseRow(record), ...(record.result?.layers ?? []).map((layer) => layerRow(record, layer))]),
})

function caseRow(record: CaseRecord): ReportCase {
  const { spec, result, status, reason } = record
  return {
    model: spec.model,
    layer: spec.layer,
    ...settingsOf(record),
    sparsityAchieved: result?.sparsityAchieved ?? null,
    status,
    reason,
    notes: result?.notes ?? [],
    metrics: result?.metrics ?? {},
  }
}

function layerRow(record: CaseRecord, layer: LayerResult): ReportCase {
  return {
    model: record.spec.model,
    layer: layer.layer,
    ...settingsOf(record),
    sparsityAchieved: layer.sparsityAchieved,
    status: layer.status,
    reason: layer.reason,
    notes: [],
    metrics: layer.metrics,
  }
}

function settingsOf({ spec }: CaseRecord): Pick<ReportCase, 'pattern' | 'sparsityAsked' | 'vector' | 'strategy' | 'saliency' | 'correction' | 'seed'> {
  const { pattern, strategy, saliency, correction, seed } = spec
  // Twelve digits: the share of HiNM goes through 1 − (1 − s_v)·n/m, which float64 cannot give back to the last bit.
  return {
    pattern: patternName(pattern),
    sparsityAsked: Number((askedSparsity(pattern) * 100).toPrecision(12)),
    vector: vectorOf(pattern),
    strategy,
    saliency,
    correction,
    seed,
  }
}
