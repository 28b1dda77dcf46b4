import type { CaseResult, CaseSpec } from '../../contract/case.ts'
import type { ProjectView } from '../../contract/api.ts'
import type { Fact } from '../../contract/environment.ts'
import type { Failure } from '../../contract/error.ts'

/** Settings of a run that hold for each of its cases. */
export interface RunSettings {
  timing: boolean
  accuracy: boolean
  /** N, activation columns of the timed products. */
  columns: number
  threads: number
  /** Leave the calibration samples out of every accuracy, because some case of the run reads them. */
  excludeCalibration: boolean
}

export interface CaseRequest {
  kind: 'run-case'
  project: string
  spec: CaseSpec
  settings: RunSettings
  /** The model file must still have this hash; null where it is not known. */
  modelHash: string | null
}

interface InspectRequest {
  kind: 'inspect'
  project: string
}

interface EnvironmentRequest {
  kind: 'environment'
}

export type EngineRequest = CaseRequest | InspectRequest | EnvironmentRequest

/** What each kind of request answers. */
export interface EngineAnswers {
  'run-case': CaseResult
  inspect: ProjectView
  environment: Record<string, Fact>
}

export type AnswerTo<R extends EngineRequest> = EngineAnswers[R['kind']]

/** Where a long request stands: what is being done, in words, and how far. */
export interface Progress {
  phase: string
  done: number
  total: number
}

/** Host to engine. */
export type ToEngine = { type: 'request'; id: number; request: EngineRequest } | { type: 'cancel'; id: number }

/** Engine to host. `alive` comes every second from the engine's event loop. */
export type FromEngine =
  | { type: 'alive' }
  | { type: 'progress'; id: number; progress: Progress }
  | { type: 'answer'; id: number; answer: EngineAnswers[keyof EngineAnswers] }
  | { type: 'failure'; id: number; failure: Failure }
