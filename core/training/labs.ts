import type { LabId } from '../../contract/training.ts'
import type { LabRequest, OptimizerSettings, SampleSet } from '../../native/training.ts'

/** Text for Lab B: every character as an index into its alphabet. */
export interface TextData {
  kind: 'text'
  tokens: Int32Array
  symbols: number
}
/** Labelled images (or anything with features) for Lab C, in native memory. */
interface ClassData {
  kind: 'classes'
  train: SampleSet
  heldOut: SampleSet
  classes: number
}
export type LabData = TextData | ClassData | null

export interface Lab {
  id: LabId
  steps: number
  seeds: number
  optimizer: OptimizerSettings
  /** The network at full or at half hidden width. @throws Error when the data are not of the lab's kind */
  request: (data: LabData, half: boolean) => LabRequest
}

const wrongData = (lab: string, needs: string): Error => new Error(`${lab} needs ${needs}, but other data were given.`)

/** Teacher–student: every linear of the student is sparse (TRAINING: section 3). */
const labA: Lab = {
  id: 'lab-a',
  steps: 3000,
  seeds: 8,
  optimizer: { beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: 0, clip: 0, peakRate: 3e-3, finalShare: 0.05, warmUp: 100 },
  request: (_data, half) => ({
    kind: 'teacher-student',
    inputs: 32,
    teacherHidden: 256,
    outputs: 16,
    hidden: half ? [32, 32] : [64, 64],
    batch: 64,
    heldOutSamples: 4096,
  }),
}

/** Character transformer: only the feed-forward linears are sparse. */
const labB: Lab = {
  id: 'lab-b',
  steps: 2500,
  seeds: 6,
  optimizer: { beta1: 0.9, beta2: 0.95, epsilon: 1e-8, weightDecay: 0.1, clip: 1, peakRate: 2e-3, finalShare: 0.1, warmUp: 100 },
  request: (data, half) => {
    if (data?.kind !== 'text') throw wrongData('Lab B', 'a text')
    return {
      kind: 'text',
      tokens: data.tokens,
      symbols: data.symbols,
      context: 64,
      batch: 16,
      heldOutShare: 0.1,
      layers: 2,
      width: 96,
      heads: 4,
      hidden: half ? 192 : 384,
    }
  },
}

/** Classifier with the widths of fashion-mlp; its last layer stays dense. */
const labC: Lab = {
  id: 'lab-c',
  steps: 3000,
  seeds: 3,
  optimizer: { beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weightDecay: 0, clip: 0, peakRate: 1e-3, finalShare: 0.02, warmUp: 100 },
  request: (data, half) => {
    if (data?.kind !== 'classes') throw wrongData('Lab C', 'labelled samples')
    return {
      kind: 'classification',
      train: data.train,
      heldOut: data.heldOut,
      classes: data.classes,
      hidden: half ? [256, 128] : [512, 256],
      batch: 128,
    }
  },
}

const byId: Record<LabId, Lab> = { 'lab-a': labA, 'lab-b': labB, 'lab-c': labC }
export const labById = (id: LabId): Lab => byId[id]
