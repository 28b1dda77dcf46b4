import { addon, runJob, type Job } from './addon.ts'
import type { PatternParameters, SaliencyMatrix } from './sparsity.ts'

/** What a strategy found. Positions map to original channels. */
export interface Order {
  rows: number
  cols: number
  /** The strategy that made this order: `none` where the asked one could not run, and then `reason` says why. */
  strategy: string
  reason: string | null
  /** σ_o: entry p is the original output channel at position p; a bijection on [0, rows). */
  outputOrder: Uint32Array
  /** Output channels a tile (the last tile may be shorter). */
  vector: number
  /** K', kept columns a tile. */
  keptColumns: number
  /** Three-region: how many of a tile's first columns n:m leaves alone; 0 for the other patterns. */
  denseColumns: number
  /** tiles × K' original input channels, in the packed order of each tile. */
  columns: Uint32Array
  /** Candidate evaluations spent. */
  evaluations: number
  /** Wall seconds; never part of a decision. */
  seconds: number
  /** Best so far: evaluations, kept saliency after the whole pattern (float64), wall seconds. Never worsens. */
  trace: { evaluations: Float64Array; kept: Float64Array; seconds: Float64Array }
}

export interface SearchRequest {
  scores: SaliencyMatrix
  pattern: PatternParameters
  strategy: string
  /** Candidate evaluations at most; 0 takes the strategy's own stopping rule. */
  budget: number
  seed: number
  /** Which layer this is: part of the key of every random stream. */
  layer: number
  /** The order found is the same for any number. */
  threads: number
}

interface PermutationAddon {
  searchOrder(request: SearchRequest, job: object): Promise<Order>
}
const native = (): PermutationAddon => addon() as unknown as PermutationAddon

/**
 * Searches an order for `pattern`. Never worse than "none"; the same order bit for bit for one seed and budget on any
 * thread count. When cancelled it rejects with CANCELLED within 200 ms.
 */
export const searchOrder = (request: SearchRequest, job?: Job): Promise<Order> => runJob(job, (control) => native().searchOrder(request, control))
