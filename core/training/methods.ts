import type { TrainingMethodId } from '../../contract/training.ts'
import { methodDefaults, type MethodSettings } from '../../native/training.ts'

/** How a method gets from initial weights to its result. */
type Procedure = 'one-run' | 'dense-then-prune' | 'dense-prune-retrain' | 'dense-twice'

export interface TrainingMethod {
  procedure: Procedure
  settings: MethodSettings
  halfWidth: boolean
}

const one = (settings: Partial<MethodSettings>, halfWidth = false): TrainingMethod => ({
  procedure: 'one-run',
  settings: { ...methodDefaults, ...settings },
  halfWidth,
})
const after = (procedure: Procedure, settings: Partial<MethodSettings>): TrainingMethod => ({ ...one(settings), procedure })

const byId: Record<TrainingMethodId, TrainingMethod> = {
  dense: one({ kind: 'dense' }),
  'half-width': one({ kind: 'dense' }, true),
  'dense-twice': after('dense-twice', { kind: 'dense' }),
  's-ste': one({ kind: 's-ste' }),
  's-ste-dynamic': one({ kind: 's-ste', scale: 'dynamic' }),
  's-ste-one': one({ kind: 's-ste', scale: 'one' }),
  ste: one({ kind: 'ste' }),
  'sr-ste-2e-4': one({ kind: 'sr-ste', decay: 2e-4 }),
  'sr-ste-2e-3': one({ kind: 'sr-ste', decay: 2e-3 }),
  'sr-ste-2e-2': one({ kind: 'sr-ste', decay: 2e-2 }),
  'sr-ste-weight': one({ kind: 'sr-ste', decay: 2e-2, placement: 'weight' }),
  'mvue-exact': one({ kind: 's-ste', gradientSampler: 'exact' }),
  'mvue-approximate': one({ kind: 's-ste', gradientSampler: 'approximate' }),
  'mvue-greedy': one({ kind: 's-ste', gradientSampler: 'greedy' }),
  'mvue-weights': one({ kind: 's-ste', weightSampler: 'exact' }),
  fp8: one({ kind: 's-ste', gradientSampler: 'approximate', fp8: true }),
  transposable: one({ kind: 'transposable' }),
  'prune-once': after('dense-then-prune', { kind: 'fixed-mask' }),
  'prune-retrain': after('dense-prune-retrain', { kind: 'fixed-mask' }),
  'decaying-mask': one({ kind: 'decaying-mask' }),
  step: one({ kind: 'step' }),
  'bi-mask': one({ kind: 'bi-mask' }),
  'top-kast': one({ kind: 'top-kast' }),
  powerpropagation: one({ kind: 'powerpropagation' }),
  lbc: one({ kind: 'lbc' }),
  'mask-llm': one({ kind: 'mask-llm' }),
}

export const methodById = (id: TrainingMethodId): TrainingMethod => byId[id]
