import type { CaseSpec } from './case.ts'
import { askedSparsity, patternName, vectorOf } from './pattern.ts'

/** A case in one line: "fashion-cnn · hinm 75 % V=32 · gyro". */
export function caseLabel(spec: CaseSpec): string {
  const vector = vectorOf(spec.pattern)
  const pattern = [
    patternName(spec.pattern),
    spec.pattern.kind === 'dense' ? '' : `${round(askedSparsity(spec.pattern) * 100)} %`,
    vector === null ? '' : `V=${vector}`,
  ]
  const parts = [spec.model, ...(spec.layer === null ? [] : [spec.layer]), pattern.filter((part) => part !== '').join(' ')]
  if (spec.pattern.kind !== 'dense') parts.push(spec.strategy)
  if (spec.correction !== 'none') parts.push(`${spec.correction} correction`)
  return parts.join(' · ')
}

const round = (value: number): number => Math.round(value * 1000) / 1000
