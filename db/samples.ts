import type { Database } from 'better-sqlite3'
import { endianness } from 'node:os'
import { deflateSync, inflateSync } from 'node:zlib'
import type { SampleSet } from '../contract/case.ts'

type Codec = 'raw' | 'deflate'

interface SampleRow {
  layer: string | null
  metric: string
  codec: Codec
  data: Buffer
}

/** Below this many bytes nothing is gained by compressing. */
const leastToCompress = 4096

/** Float64, little-endian on every machine, compressed where that makes it smaller. */
function encode(values: readonly number[]): { codec: Codec; data: Buffer } {
  const bytes = Buffer.from(Float64Array.from(values).buffer)
  if (endianness() === 'BE') bytes.swap64()
  if (bytes.length < leastToCompress) return { codec: 'raw', data: bytes }
  const packed = deflateSync(bytes, { level: 1 })
  return packed.length < bytes.length ? { codec: 'deflate', data: packed } : { codec: 'raw', data: bytes }
}

function decode({ codec, data }: SampleRow): number[] {
  // Copied, because a buffer from SQLite need not begin on a multiple of 8.
  const bytes = Buffer.from(codec === 'raw' ? data : inflateSync(data))
  if (endianness() === 'BE') bytes.swap64()
  return Array.from(new Float64Array(new Uint8Array(bytes).buffer))
}

/** Raw samples, kept apart from the metrics because most readers do not want them. */
export function sampleRepository(database: Database) {
  const insert = database.prepare<[number, string | null, string, number, Codec, Buffer]>(
    'INSERT INTO sample_set (case_id, layer, metric, count, codec, data) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const select = database.prepare<[number], SampleRow>('SELECT layer, metric, codec, data FROM sample_set WHERE case_id = ? ORDER BY id')
  return {
    add(caseId: number, set: SampleSet): void {
      const { codec, data } = encode(set.values)
      insert.run(caseId, set.layer, set.metric, set.values.length, codec, data)
    },
    ofCase: (caseId: number): SampleSet[] => select.all(caseId).map((row) => ({ layer: row.layer, metric: row.metric, values: decode(row) })),
  }
}
