import { AppError } from '../../contract/error.ts'
import { compareLosses } from './compare-losses.ts'
import type { LossComparison } from './compare-losses.ts'
import { compareRightWrong } from './compare-right-wrong.ts'
import type { RightWrongComparison } from './compare-right-wrong.ts'

/** What must be equal before two results may be set side by side; shown to the user by these names. */
export interface JudgedSettings {
  /** SHA-256 of the model file. */
  model: string
  task: string
  /** Metric that `values` belong to. */
  metric: string
  batch: number
  threads: number
  seed: number
  /** Whether the calibration samples were left out. */
  excludesCalibration: boolean
}

/** One evaluated case: its settings and one value for each judged item, in the same order. */
export interface Judged {
  name: string
  settings: JudgedSettings
  values: ArrayLike<number>
  /** Right or wrong, or a loss. */
  kind: 'right-wrong' | 'losses'
}

export type Comparison = (RightWrongComparison | LossComparison) & {
  /** The result in one sentence; "no measurable difference" is a normal one. */
  sentence: string
  /** The interval does not hold 0. */
  measurable: boolean
}

/**
 * Compares two results on the same items, pairwise.
 * @param seed of the bootstrap
 * @throws AppError INVALID_ARGUMENT naming the setting that differs
 */
export function compareEvaluations(first: Judged, second: Judged, seed = 1): Comparison {
  refuseUnequal(first, second)
  const result = first.kind === 'losses' ? compareLosses(first.values, second.values, seed) : compareRightWrong(first.values, second.values)
  const [low, high] = result.interval
  const measurable = low > 0 || high < 0
  return { ...result, measurable, sentence: measurable ? differenceSentence(first, second, result) : `No measurable difference at n = ${result.items}.` }
}

const labels: Record<keyof JudgedSettings, string> = {
  model: 'model file',
  task: 'task',
  metric: 'metric',
  batch: 'batch size',
  threads: 'number of threads',
  seed: 'seed',
  excludesCalibration: 'use of the calibration samples',
}

function refuseUnequal(first: Judged, second: Judged): void {
  for (const key of Object.keys(labels) as (keyof JudgedSettings)[]) {
    const [a, b] = [first.settings[key], second.settings[key]]
    if (a !== b) {
      throw new AppError(
        'INVALID_ARGUMENT',
        `${first.name} and ${second.name} cannot be compared: the ${labels[key]} differs (${String(a)} and ${String(b)}); run both with equal settings.`,
      )
    }
  }
  if (first.kind !== second.kind || first.values.length !== second.values.length || first.values.length === 0) {
    throw new AppError(
      'INVALID_ARGUMENT',
      `${first.name} and ${second.name} cannot be compared: they hold ${first.values.length} and ${second.values.length} judged samples; both must be judged on the same samples.`,
    )
  }
}

function differenceSentence(first: Judged, second: Judged, result: RightWrongComparison | LossComparison): string {
  const number = (value: number): string => Number(value.toPrecision(3)).toString()
  const interval = `95 % interval ${number(result.interval[0])} to ${number(result.interval[1])}, n = ${result.items}`
  if (result.kind === 'losses') {
    return `The mean loss of ${second.name} is ${number(Math.abs(result.difference))} ${result.difference < 0 ? 'lower' : 'higher'} than that of ${first.name} (${interval}).`
  }
  const direction = result.difference < 0 ? 'below' : 'above'
  return `${second.name} is ${number(Math.abs(result.difference))} points ${direction} ${first.name} (${interval}, McNemar p = ${number(result.p)}).`
}
