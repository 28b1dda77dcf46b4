import type { CaseRecord } from '../../../contract/case.ts'
import type { Environment } from '../../../contract/environment.ts'
import type { MetricId, Metrics } from '../../../contract/metric.ts'
import type { RunSpec } from '../../../contract/run.ts'
import { corrections, saliencies } from '../../../contract/saliency.ts'
import { count } from './number.ts'

/** Where and how one number of a case was got, in sentences; only what is known is said. */
export function methodOf(metric: MetricId, { spec, result }: Pick<CaseRecord, 'spec' | 'result'>, run: RunSpec, environment: Environment): string[] {
  const metrics: Metrics = result?.metrics ?? {}
  const sentences: string[] = []
  if (metric.startsWith('saliency.')) {
    const saliency = saliencies.find((candidate) => candidate.id === spec.saliency)
    if (saliency) sentences.push(`Saliency is ${saliency.label}, the ${saliency.meaning}.`)
  }
  if (metric.startsWith('accuracy.')) {
    const samples = metrics['accuracy.samples']?.value
    if (typeof samples === 'number') sentences.push(`${count(samples)} labelled samples, none of them used for calibration.`)
    const correction = corrections.find((candidate) => candidate.id === spec.correction)
    if (correction) sentences.push(`Correction: ${correction.meaning}.`)
  }
  if (metric.startsWith('kernel.')) {
    sentences.push(`N = ${count(run.columns)} activation columns, ${count(run.threads)} ${run.threads === 1 ? 'thread' : 'threads'}.`)
    const processor = environment.facts['cpu.model']?.value
    if (typeof processor === 'string') sentences.push(`Processor: ${processor}.`)
    sentences.push(...(result?.notes ?? []))
  }
  if (metric.startsWith('search.'))
    sentences.push(`Seed ${spec.seed}, ${spec.budget === null ? "the strategy's own stopping rule" : `a budget of ${count(spec.budget)} evaluations a layer`}.`)
  return sentences
}
