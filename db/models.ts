import type { Database } from 'better-sqlite3'
import * as v from 'valibot'
import { LayerInfo, type ModelInfo } from '../contract/model.ts'
import { readJson } from './json.ts'

/** Models by the hash of their file. A model is never changed: another file is another model. */
export function modelRepository(database: Database) {
  const insert = database.prepare<[string, string, string, number, string]>(
    'INSERT INTO model (hash, name, format, bytes, layers) VALUES (?, ?, ?, ?, ?) ON CONFLICT (hash) DO UPDATE SET layers = excluded.layers',
  )
  const select = database.prepare<[string], Omit<ModelInfo, 'layers'> & { layers: string }>(
    'SELECT hash, name, format, bytes, layers FROM model WHERE hash = ?',
  )
  return {
    remember(model: ModelInfo): void {
      insert.run(model.hash, model.name, model.format, model.bytes, JSON.stringify(model.layers))
    },
    get(hash: string): ModelInfo | null {
      const row = select.get(hash)
      return row ? { ...row, layers: readJson(v.array(LayerInfo), row.layers, 'list of layers') } : null
    },
  }
}
