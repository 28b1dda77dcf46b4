import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { MetricId } from '../../contract/metric.ts'
import { openEvaluator } from '../../core/accuracy/evaluator.ts'
import type { Evaluator } from '../../core/accuracy/evaluator.ts'
import { loadProject } from '../../core/accuracy/task-file.ts'
import { openTaskModel } from '../../core/accuracy/task-model.ts'
import { dataFolder } from '../../core/accuracy/task-paths.ts'
import { applied, hinmMask, nmMask } from '../../core/accuracy/testing/reference-masks.ts'
import type { LayerChange, OpenModel } from '../../core/model/open-model.ts'

/** One-shot magnitude pruning of every eligible layer, no correction; ± 0.3 points, perplexity ± 2 %. */
interface Known {
  task: string
  metric: MetricId
  dense: number
  twoOfFour?: number
  /** HiNM 75 %, V = 32, without permutation. */
  hinm?: number
  /** Ten seconds of processor time or more: only with HINM_ALL_PAIRS=1. */
  heavy?: true
}

const known: Known[] = [
  { task: 'fashion-mlp', metric: 'accuracy.top1', dense: 89.8, twoOfFour: 88.28, hinm: 74.7 },
  { task: 'fashion-cnn', metric: 'accuracy.top1', dense: 92.0, twoOfFour: 90.48, hinm: 14.1, heavy: true },
  { task: 'g2p', metric: 'accuracy.word', dense: 69.2, twoOfFour: 38.0, hinm: 0 },
  { task: 'magika', metric: 'accuracy.top1', dense: 99.56, twoOfFour: 99.48, hinm: 75.2, heavy: true },
  { task: 'use-lite', metric: 'accuracy.centroid', dense: 70.19, twoOfFour: 61.04, hinm: 36.2, heavy: true },
  { task: 'ocr', metric: 'accuracy.character', dense: 98.12, twoOfFour: 0, heavy: true },
  { task: 'shakespeare', metric: 'loss.perplexity', dense: 5.5, twoOfFour: 6.6, hinm: 21.3, heavy: true },
]

function pruned(model: OpenModel, mask: (weights: Float32Array, rows: number, cols: number) => Uint8Array): Map<string, LayerChange> {
  const layers = model.info.layers.filter((layer) => layer.eligible)
  return new Map(
    layers.map(({ name, rows, cols }) => {
      const weights = model.weights(name)
      return [name, { weights: applied(weights, mask(weights, rows, cols)) }]
    }),
  )
}

async function measured(evaluator: Evaluator, changes: ReadonlyMap<string, LayerChange>, metric: MetricId): Promise<number> {
  const { metrics } = await evaluator.evaluate(changes, { excludeCalibration: false, threads: 2 })
  return metrics[metric]!.value!
}

describe.skipIf(!existsSync(dataFolder()))('the seven pairs of model and data (skipped where HINM_DATA is not there)', () => {
  for (const { task: name, metric, dense, twoOfFour, hinm, heavy } of known) {
    it.skipIf(heavy && process.env.HINM_ALL_PAIRS !== '1')(
      `${name}: ${metric} is ${dense} dense${twoOfFour === undefined ? '' : `, ${twoOfFour} at 2:4${hinm === undefined ? '' : `, ${hinm} at HiNM 75 %`}`}${heavy ? ' (with HINM_ALL_PAIRS=1)' : ''}`,
      { timeout: 240_000 },
      async () => {
        const { base, project } = await loadProject(join(import.meta.dirname, `${name}.task.json`))
        const model = await openTaskModel(project.tasks[0]!, base)
        const evaluator = await openEvaluator(project.tasks[0]!, base, model)
        const expectNear = async (changes: ReadonlyMap<string, LayerChange>, value: number): Promise<void> => {
          const tolerance = metric === 'loss.perplexity' ? 0.02 * value : 0.3
          expect(Math.abs((await measured(evaluator, changes, metric)) - value)).toBeLessThanOrEqual(tolerance)
        }
        await expectNear(new Map(), dense)
        if (twoOfFour !== undefined)
          await expectNear(
            pruned(model, (weights, rows, cols) => nmMask(weights, rows, cols, 2, 4)),
            twoOfFour,
          )
        if (hinm !== undefined)
          await expectNear(
            pruned(model, (weights, rows, cols) => hinmMask(weights, rows, cols, 32, 0.5)),
            hinm,
          )
        await evaluator.close()
      },
    )
  }
})
