import type { CurvePiece } from '../../contract/training.ts'
import type { TrainingHistory } from '../../native/training.ts'

/** Points that a loss curve has on screen; more would be drawn on top of one another. */
const points = 400

/** Rows of a matrix that has `layers` columns. */
function rowsOf(flat: Float64Array, rows: number): number[][] {
  const layers = rows === 0 ? 0 : flat.length / rows
  return Array.from({ length: rows }, (_, row) => Array.from(flat.subarray(row * layers, (row + 1) * layers)))
}

/** Turns a run's history, as it grows, into pieces for the faces: losses as means over stretches, diagnoses as they are. */
export function curvePieces(totalSteps: number): (news: TrainingHistory) => CurvePiece {
  const stretch = Math.max(1, Math.floor(totalSteps / points))
  let step = 0
  let sum = 0
  let count = 0
  return ({ losses, diagnoses }) => {
    const lossSteps: number[] = []
    const means: number[] = []
    for (const loss of losses) {
      sum += loss
      count += 1
      step += 1
      if (count < stretch) continue
      lossSteps.push(step - 1)
      means.push(sum / count)
      sum = 0
      count = 0
    }
    const rows = diagnoses.step.length
    return {
      lossSteps,
      losses: means,
      steps: Array.from(diagnoses.step),
      actual: Array.from(diagnoses.actual),
      frozen: Array.from(diagnoses.frozen),
      predictedSparse: Array.from(diagnoses.predictedSparse),
      predictedDense: Array.from(diagnoses.predictedDense),
      flipRate: Array.from(diagnoses.flipRate),
      samplerBias: Array.from(diagnoses.samplerBias),
      samplerVariance: Array.from(diagnoses.samplerVariance),
      saturated: Array.from(diagnoses.saturated),
      underflowed: Array.from(diagnoses.underflowed),
      scale: rowsOf(diagnoses.scale, rows),
      scaleNow: rowsOf(diagnoses.scaleNow, rows),
      normShare: rowsOf(diagnoses.normShare, rows),
      shortGroups: rowsOf(diagnoses.shortGroups, rows),
    }
  }
}
