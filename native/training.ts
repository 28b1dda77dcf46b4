import { addon, runJob, type Job } from './addon.ts'

declare const sessionBrand: unique symbol
declare const samplesBrand: unique symbol
/** A training run in native memory; freed when JavaScript drops the handle. One call at a time works on it. */
export interface TrainingSession {
  readonly [sessionBrand]: true
}
/** Labelled samples in native memory, shared by the runs of a sweep. */
export interface SampleSet {
  readonly [samplesBrand]: true
}

type MethodKind =
  | 'dense'
  | 'ste'
  | 'sr-ste'
  | 's-ste'
  | 'transposable'
  | 'fixed-mask'
  | 'decaying-mask'
  | 'step'
  | 'bi-mask'
  | 'top-kast'
  | 'powerpropagation'
  | 'lbc'
  | 'mask-llm'
type Sampler = 'none' | 'exact' | 'approximate' | 'greedy'

/** Everything a method can be told; what each means is in native/training/methods/sparse_method.h. */
export interface MethodSettings {
  kind: MethodKind
  /** `kept` of every `of` along the inputs. */
  kept: number
  of: number
  /** λ of the masked decay. */
  decay: number
  placement: 'gradient' | 'weight'
  scale: 'frozen' | 'dynamic' | 'one'
  gradientSampler: Sampler
  weightSampler: Sampler
  fp8: boolean
  overflow: 'saturate' | 'overflow'
  refreshEvery: number
  denseEnd: number
  exactTransposable: boolean
  fadeCurve: 'linear' | 'exponential'
  fadeShare: number
  alpha: number
  forwardDensity: number
  backwardDensity: number
  penalty: number
  switchTolerance: number
  candidates: number
}

/** The defaults of the papers; a method is these with its kind and what differs. */
export const methodDefaults: MethodSettings = {
  kind: 'dense',
  kept: 2,
  of: 4,
  decay: 2e-4,
  placement: 'gradient',
  scale: 'frozen',
  gradientSampler: 'none',
  weightSampler: 'none',
  fp8: false,
  overflow: 'saturate',
  refreshEvery: 40,
  denseEnd: 1 / 6,
  exactTransposable: true,
  fadeCurve: 'linear',
  fadeShare: 0.5,
  alpha: 2,
  forwardDensity: 0.5,
  backwardDensity: 0.75,
  penalty: 1e-4,
  switchTolerance: 1e-8,
  candidates: 16,
}

export interface OptimizerSettings {
  beta1: number
  beta2: number
  epsilon: number
  /** Decoupled, on matrices. */
  weightDecay: number
  /** Largest global gradient norm; 0 does not clip. */
  clip: number
  peakRate: number
  /** Share of the peak that is left at the end of the cosine. */
  finalShare: number
  warmUp: number
}

export type LabRequest =
  | { kind: 'teacher-student'; inputs: number; teacherHidden: number; outputs: number; hidden: number[]; batch: number; heldOutSamples: number }
  | {
      kind: 'text'
      tokens: Int32Array
      symbols: number
      context: number
      batch: number
      heldOutShare: number
      layers: number
      width: number
      heads: number
      hidden: number
    }
  | { kind: 'classification'; train: SampleSet; heldOut: SampleSet; classes: number; hidden: number[]; batch: number }

/** `tiled` is the project's own product, the others are for comparison. */
export type Backend = 'tiled' | 'openblas' | 'naive'

export interface TrainingRequest {
  lab: LabRequest
  method: MethodSettings
  optimizer: OptimizerSettings
  seed: number
  steps: number
  /** Steps between two diagnoses; 0 makes none. */
  diagnoseEvery: number
  /** Diagnose on a held-out batch instead of the step's own. */
  diagnoseHeldOut: boolean
  /** Added to the step for the data, so that a second pass sees fresh ones. */
  firstDataStep: number
  /** The weights are the same for any number. */
  threads: number
  backend: Backend
  /** The float64 reference instead of float32. */
  reference: boolean
}

/** Columns, one entry a diagnosis; what each is is in native/training/engine/records.h. */
interface Diagnoses {
  step: Float64Array
  loss: Float64Array
  /** ΔF₁, positive when the loss fell. */
  actual: Float64Array
  /** ΔF₂: the same with the mask frozen. */
  frozen: Float64Array
  predictedSparse: Float64Array
  predictedDense: Float64Array
  flipRate: Float64Array
  samplerBias: Float64Array
  samplerVariance: Float64Array
  saturated: Float64Array
  underflowed: Float64Array
  /** One row a diagnosis, one column a prunable layer. */
  scale: Float64Array
  scaleNow: Float64Array
  normShare: Float64Array
  shortGroups: Float64Array
}

export interface TrainingHistory {
  step: number
  losses: Float64Array
  diagnoses: Diagnoses
  /** Wall seconds in steps, and of these in diagnostics. */
  seconds: number
  diagnosticSeconds: number
}

export interface ParameterInfo {
  name: string
  rows: number
  cols: number
  /** Place among the prunable layers, or null. */
  prunable: number | null
}

/** Milliseconds of every repeat. */
export interface StepCost {
  project: Float64Array
  compress: Float64Array
  products: Float64Array
  update: Float64Array
}

interface TrainingAddon {
  createSamples(samples: { inputs: Float32Array; features: number; labels: Int32Array }): SampleSet
  createTraining(request: TrainingRequest): TrainingSession
  runTraining(session: TrainingSession, until: number, job: object): Promise<number>
  evaluateTraining(session: TrainingSession, job: object): Promise<{ loss: number; accuracy: number }>
  trainingHistory(session: TrainingSession, firstLoss: number, firstDiagnosis: number): TrainingHistory
  trainingParameters(session: TrainingSession): ParameterInfo[]
  trainingValues(session: TrainingSession, parameter: number): Float32Array
  trainingEffective(session: TrainingSession, layer: number): Float32Array
  trainingMask(session: TrainingSession, layer: number): Uint8Array
  setTrainingValues(session: TrainingSession, parameter: number, values: Float32Array): void
  setTrainingMask(session: TrainingSession, layer: number, mask: Uint8Array): void
  saveTraining(session: TrainingSession): Uint8Array
  restoreTraining(session: TrainingSession, checkpoint: Uint8Array): void
  trainingStepCost(request: StepCostRequest, job: object): Promise<StepCost>
  trainingEngine(): { kernel: string; openBlas: boolean }
}
const native = (): TrainingAddon => addon() as unknown as TrainingAddon

/** Samples × features row-major with one label a sample; checked when a run takes them. */
export const createSamples = (inputs: Float32Array, features: number, labels: Int32Array): SampleSet => native().createSamples({ inputs, features, labels })

/** @throws Error with code INVALID_ARGUMENT or NOT_FINITE and one sentence: bad widths, labels, data, too short a text. */
export const createTraining = (request: TrainingRequest): TrainingSession => native().createTraining(request)

/**
 * How many milliseconds of steps one native call makes, so that curves flow while a run goes on. Any value gives the same
 * weights: n + m steps equal n, then m.
 */
const sliceMilliseconds = 80

/**
 * Steps up to `until` (at most the request's steps). `onCurves` gets what is new of the history after each slice of work.
 * Rejects with CANCELLED between two steps soon after the signal, and with NOT_FINITE at a diverging loss; the history and
 * the weights before that step stay readable.
 */
export async function runTraining(session: TrainingSession, until: number, job?: Job, onCurves?: (news: TrainingHistory) => void): Promise<number> {
  let told = history(session)
  let losses = told.losses.length
  let diagnoses = told.diagnoses.step.length
  let step = told.step
  let slice = 1
  const tell = (): void => {
    told = history(session, losses, diagnoses)
    losses += told.losses.length
    diagnoses += told.diagnoses.step.length
    onCurves?.(told)
  }
  while (step < until) {
    const begin = performance.now()
    const before = step
    try {
      step = await runJob(job, (control) => native().runTraining(session, Math.min(until, before + slice), control))
    } finally {
      tell()
    }
    if (step === before) break
    const took = Math.max(performance.now() - begin, 0.01)
    slice = Math.max(1, Math.min(slice * 8, Math.round((slice * sliceMilliseconds) / took)))
  }
  return step
}

/** Mean held-out loss in the lab's unit, and the share of correct labels (0 where there are none), with deployed masks. */
export const evaluateTraining = (session: TrainingSession, job?: Job): Promise<{ loss: number; accuracy: number }> =>
  runJob(job, (control) => native().evaluateTraining(session, control))

/** Losses and diagnoses from these positions on. */
export const history = (session: TrainingSession, firstLoss = 0, firstDiagnosis = 0): TrainingHistory =>
  native().trainingHistory(session, firstLoss, firstDiagnosis)

export const parameters = (session: TrainingSession): ParameterInfo[] => native().trainingParameters(session)
/** Dense values of a parameter, row-major (out × in for weights). */
export const parameterValues = (session: TrainingSession, parameter: number): Float32Array => native().trainingValues(session, parameter)
/** The weight of a prunable layer as deployed, after an evaluation. */
export const effectiveWeight = (session: TrainingSession, layer: number): Float32Array => native().trainingEffective(session, layer)
/** One byte a weight: the mask whose flips are counted; empty where there is none. */
export const layerMask = (session: TrainingSession, layer: number): Uint8Array => native().trainingMask(session, layer)
/** Before the first step only. */
export const setParameterValues = (session: TrainingSession, parameter: number, values: Float32Array): void => {
  native().setTrainingValues(session, parameter, values)
}
/** Any bit mask, for runs with fixed masks; it may be replaced between two steps (gradual schedules). */
export const setLayerMask = (session: TrainingSession, layer: number, mask: Uint8Array): void => {
  native().setTrainingMask(session, layer, mask)
}
/** Weights, moments, β, masks and step. */
export const saveCheckpoint = (session: TrainingSession): Uint8Array => native().saveTraining(session)
/** @throws Error, with the run left as it was, for bytes that are damaged or belong to another run. */
export const restoreCheckpoint = (session: TrainingSession, checkpoint: Uint8Array): void => {
  native().restoreTraining(session, checkpoint)
}

export interface StepCostRequest {
  rows: number
  cols: number
  tokens: number
  repeats: number
  method: MethodSettings
  threads: number
  backend: Backend
}
/** What one honest step of a single sparse layer costs, part by part. */
export const stepCost = (request: StepCostRequest, job?: Job): Promise<StepCost> => runJob(job, (control) => native().trainingStepCost(request, control))

/** The product kernel that this processor runs, and whether OpenBLAS is there to compare with. */
export const trainingEngine = (): { kernel: string; openBlas: boolean } => native().trainingEngine()
