import * as v from 'valibot'

/** Saliency scores rho ≥ 0, one for every weight (SCIENCE: section 3). `needsInputs` ones read calibration activations. */
export const saliencies = [
  { id: 'magnitude', label: '|w|', needsInputs: false, meaning: 'absolute value of the weight' },
  { id: 'squared', label: 'w²', needsInputs: false, meaning: 'squared weight' },
  { id: 'wanda', label: '|w|·‖x‖', needsInputs: true, meaning: 'absolute value of the weight times the norm of its input (Wanda, arXiv 2306.11695)' },
  {
    id: 'std',
    label: '|w|·std(x)',
    needsInputs: true,
    meaning: 'absolute value of the weight times the standard deviation of its input: what the output loses once the bias absorbs the mean',
  },
  {
    id: 'ria',
    label: 'RIA',
    needsInputs: true,
    meaning: 'share of the weight in its input and in its output channel, times the square root of the norm of its input (RIA, ICLR 2024)',
  },
  {
    id: 'second-order',
    label: 'w²/[H⁻¹]',
    needsInputs: true,
    meaning: 'least rise of the squared output error when this one weight goes and the others are fitted anew (Optimal Brain Surgeon)',
  },
] as const

export const saliencyIds = saliencies.map((saliency) => saliency.id)
export const SaliencyId = v.picklist(saliencyIds)
export type SaliencyId = v.InferOutput<typeof SaliencyId>

/** What is done to the kept weights and the bias after pruning, without training. */
export const corrections = [
  { id: 'none', label: 'no correction', needsInputs: false, meaning: 'kept weights and bias as they were' },
  { id: 'bias', label: 'bias correction', needsInputs: true, meaning: 'the bias of each layer absorbs the mean output lost on the calibration inputs' },
  {
    id: 'update',
    label: 'weight update',
    needsInputs: true,
    meaning: 'kept weights and bias of each layer are fitted by least squares to the outputs of the dense network on the calibration inputs',
  },
] as const

export const correctionIds = corrections.map((correction) => correction.id)
export const CorrectionId = v.picklist(correctionIds)
export type CorrectionId = v.InferOutput<typeof CorrectionId>
