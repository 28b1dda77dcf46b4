import * as v from 'valibot'

/**
 * Permutation strategies by id. What each does is documented where it is implemented (native/permutation); the
 * science is in HiNM (arXiv 2407.20496) section 4 and its comparators.
 */
export interface StrategyInfo {
  id: string
  label: string
  meaning: string
  source: string
}

export const strategies = [
  { id: 'none', label: 'none', meaning: 'the original order of output and input channels', source: '' },
  {
    id: 'gyro',
    label: 'gyro',
    meaning: 'gyro-permutation: output order, then input order, by sampling, clustering and assignment (3 tries a stage)',
    source: 'HiNM, arXiv 2407.20496, section 4',
  },
] as const satisfies readonly StrategyInfo[]

export const strategyIds = strategies.map((strategy) => strategy.id)
export const StrategyId = v.picklist(strategyIds)
export type StrategyId = v.InferOutput<typeof StrategyId>
