import type { Database } from 'better-sqlite3'
import { createHash } from 'node:crypto'
import { Environment } from '../contract/environment.ts'
import { readJson } from './json.ts'

/** The same facts in the same order, whatever order they came in, so that equal environments have one row. */
function canonical(environment: Environment): string {
  const facts = Object.fromEntries(Object.entries(environment.facts).sort(([a], [b]) => (a < b ? -1 : 1)))
  return JSON.stringify({ app: environment.app, host: environment.host, platform: environment.platform, facts })
}

/** Environments by content. */
export function environmentRepository(database: Database) {
  const insert = database.prepare<[string, string]>('INSERT INTO environment (digest, body) VALUES (?, ?) ON CONFLICT (digest) DO NOTHING')
  const byDigest = database.prepare<[string], number>('SELECT id FROM environment WHERE digest = ?').pluck()
  const byId = database.prepare<[number], string>('SELECT body FROM environment WHERE id = ?').pluck()
  return {
    /** The id of an equal environment, stored now if it is new. */
    remember(environment: Environment): number {
      const body = canonical(environment)
      const digest = createHash('sha256').update(body).digest('hex')
      insert.run(digest, body)
      return byDigest.get(digest)!
    },
    get: (id: number): Environment => readJson(Environment, byId.get(id)!, 'environment'),
  }
}
