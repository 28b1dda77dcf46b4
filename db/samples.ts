import type { Database } from 'better-sqlite3'
import { endianness } from 'node:os'
import type { SampleSet } from '../contract/case.ts'

/** Float64 as stored: little-endian on every machine. */
function encode(values: readonly number[]): Buffer {
  const bytes = Buffer.from(Float64Array.from(values).buffer)
  return endianness() === 'LE' ? bytes : bytes.swap64()
}

function decode(data: Buffer): number[] {
  // Copied, because a buffer from SQLite need not begin on a multiple of 8.
  const bytes = Buffer.from(data)
  if (endianness() === 'BE') bytes.swap64()
  return Array.from(new Float64Array(new Uint8Array(bytes).buffer))
}

/** Raw samples, kept apart from the metrics because most readers do not want them. */
export function sampleRepository(database: Database) {
  const insert = database.prepare<[number, string | null, string, number, Buffer]>(
    'INSERT INTO sample_set (case_id, layer, metric, count, data) VALUES (?, ?, ?, ?, ?)',
  )
  const select = database.prepare<[number], { layer: string | null; metric: string; data: Buffer }>(
    'SELECT layer, metric, data FROM sample_set WHERE case_id = ? ORDER BY id',
  )
  return {
    add(caseId: number, set: SampleSet): void {
      insert.run(caseId, set.layer, set.metric, set.values.length, encode(set.values))
    },
    ofCase: (caseId: number): SampleSet[] => select.all(caseId).map(({ layer, metric, data }) => ({ layer, metric, values: decode(data) })),
  }
}
