import { patternNames } from '../../../contract/pattern.ts'
import type { ProjectView } from '../../../contract/api.ts'
import type { RunRequest } from '../../../contract/run.ts'
import { correctionIds, saliencyIds, type CorrectionId, type SaliencyId } from '../../../contract/saliency.ts'
import { strategyIds, type StrategyId } from '../../../contract/strategy.ts'

/** A run as it is being put together on the project page. */
export interface Draft {
  models: string[]
  patterns: string[]
  sparsities: number[]
  vectors: number[]
  strategies: StrategyId[]
  saliencies: SaliencyId[]
  corrections: CorrectionId[]
  seeds: number[]
  columns: number
  threads: number
  timing: boolean
  accuracy: boolean
}

const known = <T extends string>(asked: readonly string[] | undefined, ids: readonly T[], otherwise: readonly T[]): T[] => {
  const found = ids.filter((id) => asked?.includes(id))
  return found.length > 0 ? found : [...otherwise]
}

/** What a project suggests; where it is silent, dense, 2:4 and HiNM with and without gyro-permutation. */
export function draftOf(view: ProjectView): Draft {
  const { defaults } = view.project
  return {
    models: view.models.filter((entry) => entry.model !== null).map((entry) => entry.task),
    patterns: defaults.patterns?.length ? [...defaults.patterns] : ['dense', '2:4', 'hinm'],
    sparsities: defaults.sparsities?.length ? [...defaults.sparsities] : [75, 87.5],
    vectors: defaults.vectors?.length ? [...defaults.vectors] : [32],
    strategies: known(defaults.strategies, strategyIds, ['none', 'gyro']),
    saliencies: [saliencyIds[0] ?? 'magnitude'],
    corrections: [correctionIds[0] ?? 'none'],
    seeds: [1],
    columns: 64,
    threads: 2,
    timing: true,
    accuracy: true,
  }
}

export function requestOf(path: string, draft: Draft): RunRequest {
  return { project: path, ...draft }
}

/** The patterns to choose from: the named ones, and any that the project asks for besides. */
export const patternChoices = (draft: Draft): string[] => [...new Set<string>([...patternNames, ...draft.patterns])]
