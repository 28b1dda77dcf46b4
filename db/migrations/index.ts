import { initial } from './initial.ts'
import { packedSamples } from './packed-samples.ts'

/** Schema number n is reached by the n-th entry. Entries are never changed once released, only added. */
export const migrations: readonly string[] = [initial, packedSamples]
