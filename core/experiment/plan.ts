import type { PlannedCase, ProjectView } from '../../contract/api.ts'
import { caseLabel } from '../../contract/case-label.ts'
import type { CaseSpec } from '../../contract/case.ts'
import { AppError } from '../../contract/error.ts'
import type { ModelInfo } from '../../contract/model.ts'
import { expandPattern, type Pattern } from '../../contract/pattern.ts'
import type { RunSpec } from '../../contract/run.ts'
import { corrections, saliencies } from '../../contract/saliency.ts'
import type { Task } from '../../contract/task.ts'
import { refusal } from '../sparsity/native-pattern.ts'

/** A planned case with the model file that it is planned for. */
export interface PlanEntry extends PlannedCase {
  modelHash: string | null
}

interface Target {
  task: Task
  model: ModelInfo | null
  reason: string | null
}

/**
 * The grid of a run as a list of cases: model by model, patterns in the order asked, then strategies, saliencies,
 * corrections and seeds. Settings that mean nothing to a pattern make no further case: dense is one case, n:m has no
 * sparsity or vector height, and only patterns with groups or tiles have an order to search. A case that cannot run
 * is in the list with the reason.
 * @throws AppError INVALID_ARGUMENT for a setting out of its range or an unknown model name.
 */
export function planCases(spec: RunSpec, view: ProjectView): PlanEntry[] {
  const patterns = expandPatterns(spec)
  const entries = targets(spec, view).flatMap((target) => patterns.flatMap((pattern) => casesOf(spec, target, pattern)))
  return [...new Map(entries.map((entry) => [JSON.stringify(entry.spec), entry])).values()]
}

function expandPatterns(spec: RunSpec): Pattern[] {
  const sparsities = spec.sparsities.map((value) => value / 100)
  return spec.patterns.flatMap((name) => {
    const patterns = expandPattern(name, sparsities, spec.vectors)
    if (patterns.length > 0) return patterns
    throw new AppError(
      'INVALID_ARGUMENT',
      `The pattern "${name}" needs a sparsity, but none was chosen; give at least one from 0 to less than 100 %, such as 75.`,
    )
  })
}

function targets(spec: RunSpec, view: ProjectView): Target[] {
  const names = view.project.tasks.map((task) => task.name)
  const unknown = spec.models.find((name) => !names.includes(name))
  if (unknown !== undefined) {
    throw new AppError('INVALID_ARGUMENT', `The project "${view.project.name}" has no model named "${unknown}"; it has ${names.join(', ')}.`)
  }
  return view.project.tasks
    .filter((task) => spec.models.length === 0 || spec.models.includes(task.name))
    .map((task) => {
      const found = view.models.find((entry) => entry.task === task.name)
      return { task, model: found?.model ?? null, reason: found ? found.reason : `The model of ${task.name} was not read.` }
    })
}

/** Patterns whose mask depends on the order of channels. */
const hasOrder = (pattern: Pattern): boolean => pattern.kind !== 'dense' && pattern.kind !== 'unstructured' && pattern.kind !== 'row-wise'

function casesOf(spec: RunSpec, target: Target, pattern: Pattern): PlanEntry[] {
  const dense = pattern.kind === 'dense'
  const strategies = hasOrder(pattern) ? spec.strategies : (['none'] as const)
  const saliencyIds = dense ? spec.saliencies.slice(0, 1) : spec.saliencies
  const correctionIds = dense ? (['none'] as const) : spec.corrections
  return strategies.flatMap((strategy) =>
    saliencyIds.flatMap((saliency) =>
      correctionIds.flatMap((correction) =>
        // Without a search nothing is drawn, so further seeds would only repeat the case.
        (strategy === 'none' ? spec.seeds.slice(0, 1) : spec.seeds).map((seed) => {
          const budget = strategy === 'none' ? null : spec.budget
          return entryOf(target, { model: target.task.name, layer: null, pattern, strategy, saliency, correction, seed, budget })
        }),
      ),
    ),
  )
}

const entryOf = (target: Target, spec: CaseSpec): PlanEntry => ({
  spec,
  label: caseLabel(spec),
  refusal: refusalOf(target, spec),
  modelHash: target.model?.hash ?? null,
})

function refusalOf({ task, model, reason }: Target, spec: CaseSpec): string | null {
  if (!model) return reason ?? `The model of ${task.name} could not be opened.`
  const reader = readsInputs(spec)
  if (reader !== null && !task.calibration)
    return `The task ${task.name} sets no calibration samples aside, but ${reader} reads them; add "calibration" to the task.`
  if (spec.pattern.kind === 'dense') return null
  const layers = model.layers.filter((layer) => layer.eligible)
  if (layers.length === 0) return `The model ${model.name} has no layer that can be pruned: ${model.layers[0]?.reason ?? 'it holds no matrix weight'}.`
  const reasons = layers.map((layer) => refusal(spec.pattern, layer.rows, layer.cols))
  return reasons.every((text) => text !== null) ? `No layer of ${model.name} can take this pattern: ${reasons[0] ?? ''}` : null
}

/** What in the case reads calibration inputs, by its label; null when nothing does. */
function readsInputs(spec: CaseSpec): string | null {
  const found = [...saliencies.filter(({ id }) => id === spec.saliency), ...corrections.filter(({ id }) => id === spec.correction)].find(
    (entry) => entry.needsInputs,
  )
  return found?.label ?? null
}

/** Whether any case of the run reads calibration inputs; then no case evaluates those samples, so that rows compare. */
export const needsCalibration = (specs: readonly CaseSpec[]): boolean => specs.some((spec) => readsInputs(spec) !== null)
