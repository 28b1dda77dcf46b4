import type { TrainingMethodId } from '../../contract/training.ts'

/**
 * What the papers say of a method's loss against S-STE's: S-STE is better than STE, than SR-STE as published, than half
 * the width and than itself without β, and close to but not below dense (arXiv 2409.09099, sections 4 and 6). A tuned
 * SR-STE is in no claim: this project found it slightly better in Lab A, so it is measured and shown.
 */
const againstSoftThreshold: Partial<Record<TrainingMethodId, 'higher' | 'lower'>> = {
  dense: 'lower',
  'half-width': 'higher',
  ste: 'higher',
  'sr-ste-2e-4': 'higher',
  's-ste-one': 'higher',
}
/** Retraining recovers what pruning lost (arXiv 2104.08378, section 4). */
const againstRetrained: Partial<Record<TrainingMethodId, 'higher' | 'lower'>> = { 'prune-once': 'higher' }

/** On which side of the reference the papers see a method's loss; null where they are silent. */
export function claimOf(method: TrainingMethodId, reference: TrainingMethodId): 'higher' | 'lower' | null {
  if (reference === 's-ste') return againstSoftThreshold[method] ?? null
  if (reference === 'prune-retrain') return againstRetrained[method] ?? null
  return null
}
