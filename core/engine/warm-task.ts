import type { CaseSpec } from '../../contract/case.ts'
import { AppError } from '../../contract/error.ts'
import type { LayerInfo } from '../../contract/model.ts'
import type { Task } from '../../contract/task.ts'
import type { Job } from '../../native/addon.ts'
import { searchOrder, type Order } from '../../native/permutation.ts'
import { saliency, type SaliencyMatrix } from '../../native/sparsity.ts'
import { openEvaluator, type Evaluation, type EvaluateOptions, type Evaluator } from '../accuracy/evaluator.ts'
import { loadProject } from '../accuracy/task-file.ts'
import type { CalibrateOptions } from '../accuracy/calibrator.ts'
import { inputSaliency } from '../accuracy/input-saliency.ts'
import { openTaskModel } from '../accuracy/task-model.ts'
import type { OpenModel } from '../model/open-model.ts'
import { nativePattern } from '../sparsity/native-pattern.ts'

/** Keeps what is asked for more than once. A promise that fails is forgotten, so that the next one tries again. */
class Kept<T> {
  readonly #values = new Map<string, Promise<T>>()

  /** What was made so far, also what is still being made. */
  get all(): Promise<T>[] {
    return [...this.#values.values()]
  }

  get(key: unknown[], make: () => Promise<T> | T): Promise<T> {
    const text = JSON.stringify(key)
    const known = this.#values.get(text)
    if (known) return known
    const made = (async () => make())()
    this.#values.set(text, made)
    made.catch(() => this.#values.delete(text))
    return made
  }
}

/**
 * One task with everything that its cases share: the model, weights and scores are read and computed once, an order
 * is searched once, and the dense accuracy is measured once.
 */
export class WarmTask {
  readonly task: Task
  readonly model: OpenModel
  readonly #base: string
  readonly #weights = new Kept<Float32Array>()
  readonly #scores = new Kept<SaliencyMatrix>()
  readonly #orders = new Kept<Order>()
  readonly #dense = new Kept<Evaluation>()
  readonly #evaluator = new Kept<Evaluator>()

  constructor(task: Task, base: string, model: OpenModel) {
    this.task = task
    this.#base = base
    this.model = model
  }

  /** @throws AppError when the project, its task or its model cannot be read. */
  static async open(project: string, name: string): Promise<WarmTask> {
    const loaded = await loadProject(project)
    const task = loaded.project.tasks.find((entry) => entry.name === name)
    if (!task) throw new AppError('PROJECT_INVALID', `The project ${loaded.project.name} no longer has a task named "${name}"; put it back or start a new run.`)
    return new WarmTask(task, loaded.base, await openTaskModel(task, loaded.base))
  }

  /** M×K row-major; shared by all who ask, so never written to. */
  weights({ name }: LayerInfo): Promise<Float32Array> {
    return this.#weights.get([name], () => this.model.weights(name))
  }

  /** Scores that need inputs run the calibration samples through the dense network. */
  scores(layer: LayerInfo, kind: CaseSpec['saliency'], options: CalibrateOptions): Promise<SaliencyMatrix> {
    return this.#scores.get([layer.name, kind], async () => {
      const own = kind === 'magnitude' || kind === 'squared'
      const data = own ? saliency(kind, await this.weights(layer)) : await inputSaliency((await this.evaluator()).calibrator(), layer, kind, options)
      return { data, rows: layer.rows, cols: layer.cols }
    })
  }

  /** The order that the case's strategy finds for a layer; the same for any number of threads. */
  order(layer: LayerInfo, spec: CaseSpec, threads: number, job: Job): Promise<Order> {
    const { pattern, strategy, seed, budget, saliency: kind } = spec
    return this.#orders.get([layer.name, pattern, strategy, seed, budget, kind], async () =>
      searchOrder(
        {
          scores: await this.scores(layer, kind, { threads, signal: job.signal }),
          pattern: nativePattern(pattern),
          strategy,
          budget: budget ?? 0,
          seed,
          layer: this.model.info.layers.indexOf(layer),
          threads,
        },
        job,
      ),
    )
  }

  evaluator(): Promise<Evaluator> {
    return this.#evaluator.get([], () => openEvaluator(this.task, this.#base, this.model))
  }

  denseAccuracy(options: EvaluateOptions): Promise<Evaluation> {
    return this.#dense.get([options.threads, options.excludeCalibration], async () => (await this.evaluator()).evaluate(new Map(), options))
  }

  /** Frees the sessions of ONNX Runtime; nothing else outlives the last reference. */
  async close(): Promise<void> {
    for (const evaluator of this.#evaluator.all) await (await evaluator).close()
  }
}
