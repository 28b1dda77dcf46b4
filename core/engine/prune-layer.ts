import type { CaseSpec, LayerResult, SampleSet } from '../../contract/case.ts'
import { AppError, failureOf } from '../../contract/error.ts'
import { metric, type Metrics } from '../../contract/metric.ts'
import type { LayerInfo } from '../../contract/model.ts'
import type { Pattern } from '../../contract/pattern.ts'
import type { Job } from '../../native/addon.ts'
import { checkProduct, pack, timeProduct, type Packed, type ProductCheck, type ProductTiming } from '../../native/kernels.ts'
import type { Order } from '../../native/permutation.ts'
import { applyMask, buildMask, measureQuality, type Mask, type Quality } from '../../native/sparsity.ts'
import { median } from '../measure/median.ts'
import { nativePattern } from '../sparsity/native-pattern.ts'
import { hasSparseKernel } from '../sparsity/sparse-kernel.ts'
import type { Progress, RunSettings } from './protocol.ts'
import type { WarmTask } from './warm-task.ts'

/** Wall seconds that the samples of one layer may take; a whole sweep of the sample project stays within minutes. */
const timingLimitSeconds = 0.5

export interface LayerOutcome {
  result: LayerResult
  samples: SampleSet[]
  /** W∘mask in the original order; null for a layer left dense. */
  weights: Float32Array | null
  /** The mask behind `weights`. */
  mask: Mask | null
  quality: Quality
  order: Order
  timing: LayerTiming | null
}

/** Medians in milliseconds. */
export interface LayerTiming {
  kernel: number
  dense: number
  /** The baseline that was fastest. */
  baseline: string
  absent: ProductTiming['absent']
}

export interface LayerWork {
  warm: WarmTask
  spec: CaseSpec
  settings: RunSettings
  signal: AbortSignal
  onProgress: (progress: Progress) => void
}

/**
 * One layer through the whole chain: scores, order, mask, quality, packing, check against float64, timing.
 * @param left why the layer stays dense; then the same chain runs with the dense pattern, so that it counts everywhere.
 * @throws AppError naming the layer: VERIFICATION_FAILED, NOT_FINITE, OUT_OF_MEMORY, CANCELLED.
 */
export async function pruneLayer(work: LayerWork, layer: LayerInfo, left: string | null): Promise<LayerOutcome> {
  try {
    return await chain(left === null ? work : { ...work, spec: { ...work.spec, pattern: { kind: 'dense' }, strategy: 'none' } }, layer, left)
  } catch (thrown) {
    const { code, message } = failureOf(thrown)
    throw new AppError(code, code === 'CANCELLED' ? message : `Layer ${layer.name}: ${message}`, { cause: thrown })
  }
}

async function chain(work: LayerWork, layer: LayerInfo, left: string | null): Promise<LayerOutcome> {
  const { warm, spec, settings } = work
  const job = (phase: string): Job => ({
    signal: work.signal,
    onProgress: (done, total) => {
      work.onProgress({ phase: `${phase} ${layer.name}`, done, total })
    },
  })
  const pattern = nativePattern(spec.pattern)
  const weights = await warm.weights(layer)
  const scores = await warm.scores(layer, spec.saliency, { threads: settings.threads, signal: work.signal })
  const order = await warm.order(layer, spec, settings.threads, job('search'))
  const mask = await buildMask(scores, pattern, order, job('mask'))
  const quality = await measureQuality(scores, pattern, order, mask, job('quality'))
  const packed = await pack({ weights, rows: layer.rows, cols: layer.cols, pattern, order, mask }, job('pack'))
  const check = await checkProduct(packed, weights, mask, settings.columns, spec.seed, job('check'))
  assertVerified(check)
  const timed = settings.timing ? await timeLayer(work, packed, weights, job('time')) : null
  const dense = spec.pattern.kind === 'dense'
  return {
    result: {
      layer: layer.name,
      rows: layer.rows,
      cols: layer.cols,
      status: left === null ? 'done' : 'refused',
      reason: left ?? (order.strategy === spec.strategy ? null : `permutation: none (${order.reason ?? 'no reason given'})`),
      sparsityAchieved: dense ? 0 : (1 - mask.kept / (mask.rows * mask.cols)) * 100,
      metrics: layerMetrics({ pattern: spec.pattern, quality, order, mask, packed, check, timing: timed?.timing ?? null }),
    },
    samples: (timed?.samples ?? []).map((set) => ({ ...set, layer: layer.name })),
    weights: dense ? null : applyMask(weights, mask),
    mask: dense ? null : mask,
    quality,
    order,
    timing: timed?.timing ?? null,
  }
}

function assertVerified({ passed, relativeError, tolerance }: ProductCheck): void {
  if (passed) return
  throw new AppError(
    'VERIFICATION_FAILED',
    `the packed product differs from dense (W∘mask)·X in float64 by ${relativeError}, but at most ${tolerance} is allowed, so nothing of this case counts.`,
  )
}

async function timeLayer(
  work: LayerWork,
  packed: Packed,
  weights: Float32Array,
  job: Job,
): Promise<{ timing: LayerTiming; samples: Omit<SampleSet, 'layer'>[] }> {
  const { columns, threads } = work.settings
  const { sparse, dense, absent } = await timeProduct({ packed, weights, columns, threads, seed: work.spec.seed, limitSeconds: timingLimitSeconds }, job)
  const medians = dense.map(({ name, samples }) => ({ name, samples, time: median(samples) ?? Infinity })).sort((a, b) => a.time - b.time)
  const fastest = medians[0]
  const own = median(sparse)
  if (!fastest || own === null) throw new AppError('INTERNAL', 'the timing came back without samples.')
  // A layer that is multiplied dense takes what the fastest dense product takes, not what our own dense kernel takes.
  const isDense = !hasSparseKernel(work.spec.pattern)
  return {
    timing: { kernel: isDense ? fastest.time : own, dense: fastest.time, baseline: fastest.name, absent },
    samples: [
      { metric: 'kernel.time', values: Array.from(isDense ? fastest.samples : sparse) },
      { metric: 'kernel.dense_time', values: Array.from(fastest.samples) },
    ],
  }
}

interface Found {
  pattern: Pattern
  quality: Quality
  order: Order
  mask: Mask
  packed: Packed
  check: ProductCheck
  timing: LayerTiming | null
}

function layerMetrics({ pattern, quality, order, mask, packed, check, timing }: Found): Metrics {
  return {
    'saliency.retained': metric('saliency.retained', quality.retained),
    'saliency.relative': metric('saliency.relative', quality.relative),
    'saliency.vector': metric('saliency.vector', quality.vector, 'the pattern has no vector level'),
    'saliency.efficacy': metric('saliency.efficacy', quality.efficacy, 'not defined: no order can keep more inside the kept columns'),
    'mask.kept': metric('mask.kept', mask.kept),
    'search.evaluations': metric('search.evaluations', order.evaluations),
    'search.time': metric('search.time', order.seconds),
    'size.packed': metric('size.packed', packed.bytes),
    'size.dense': metric('size.dense', packed.denseBytes),
    'kernel.error': metric('kernel.error', check.relativeError),
    ...kernelMetrics(timing),
    ...(pattern.kind === 'dense' ? { 'saliency.efficacy': metric('saliency.efficacy', null, 'nothing is pruned') } : {}),
  }
}

/** Times and their ratio; where nothing was timed, that is what stands there. */
export function kernelMetrics(timing: Pick<LayerTiming, 'kernel' | 'dense'> | null): Metrics {
  const reason = 'timing was switched off for this run'
  return {
    'kernel.time': metric('kernel.time', timing?.kernel ?? null, reason),
    'kernel.dense_time': metric('kernel.dense_time', timing?.dense ?? null, reason),
    'kernel.speedup': metric(
      'kernel.speedup',
      timing ? timing.dense / timing.kernel : null,
      timing ? 'the kernel time is below the resolution of the timer' : reason,
    ),
  }
}
