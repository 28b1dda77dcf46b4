import type { RunSpec } from '../../contract/run.ts'

/** A name that tells runs of a project apart at a glance: "fashion: dense, 2:4, hinm at 75, 87.5 %". */
export function runName(project: string, spec: RunSpec): string {
  const sparsities = spec.sparsities.length > 0 ? ` at ${spec.sparsities.join(', ')} %` : ''
  return `${project}: ${spec.patterns.join(', ')}${sparsities}`
}
