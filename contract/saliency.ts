import * as v from 'valibot'

/** Saliency scores rho ≥ 0, one for every weight (SCIENCE: section 3). `needsInputs` ones read calibration activations. */
export const saliencies = [
  { id: 'magnitude', label: '|w|', needsInputs: false, meaning: 'absolute value of the weight' },
  { id: 'squared', label: 'w²', needsInputs: false, meaning: 'squared weight' },
] as const

export const saliencyIds = saliencies.map((saliency) => saliency.id)
export const SaliencyId = v.picklist(saliencyIds)
export type SaliencyId = v.InferOutput<typeof SaliencyId>

/** What is done to the kept weights and the bias after pruning, without training. */
export const corrections = [
  { id: 'none', label: 'no correction', needsInputs: false, meaning: 'kept weights and bias as they were' },
  { id: 'bias', label: 'bias correction', needsInputs: true, meaning: 'the bias of each layer absorbs the mean output lost on the calibration inputs' },
] as const

export const correctionIds = corrections.map((correction) => correction.id)
export const CorrectionId = v.picklist(correctionIds)
export type CorrectionId = v.InferOutput<typeof CorrectionId>
