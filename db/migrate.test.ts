import Database from 'better-sqlite3'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { migrate, schemaVersion } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { openDatabase } from './open.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hinm-migrate-'))
  file = join(folder, 'history.db')
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

const schemaOf = (database: Database.Database): unknown[] => database.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all()

describe('migrations', () => {
  it('end in tables that check their types', () => {
    const { database } = openDatabase(file)
    const tables = database.prepare(`SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite_%'`).all() as {
      name: string
      strict: number
    }[]
    expect(tables.length).toBeGreaterThan(8)
    expect(tables.filter(({ strict }) => strict !== 1)).toEqual([])
    expect(schemaVersion(database)).toBe(migrations.length)
    database.close()
  })

  it.each(migrations.map((_, version) => version + 1).slice(0, -1))('take a history of schema %d with its rows, after a copy', (version) => {
    const old = openDatabase(file, migrations.slice(0, version)).database
    old.exec(`INSERT INTO environment (id, digest, body) VALUES (1, '${'0'.repeat(64)}', '{}')`)
    old.exec(`INSERT INTO run (id, uid, name, project, spec, status, environment_id, started_at) VALUES (7, 'u', 'kept', 'p', '{}', 'done', 1, 0)`)
    old.exec(`INSERT INTO run_case (id, run_id, position, spec, status) VALUES (9, 7, 0, '{}', 'done')`)
    old.exec(`INSERT INTO sample_set (id, case_id, metric, count, data) VALUES (1, 9, 'kernel.time', 1, x'000000000000F03F')`)
    old.close()

    const { database, readOnly } = openDatabase(file)
    expect(readOnly).toBeNull()
    expect(schemaVersion(database)).toBe(migrations.length)
    expect(database.prepare('SELECT name FROM run').pluck().all()).toEqual(['kept'])
    expect(database.prepare('SELECT count, data FROM sample_set').get()).toEqual({ count: 1, data: Buffer.from([0, 0, 0, 0, 0, 0, 0xf0, 0x3f]) })
    const fresh = openDatabase(join(folder, 'fresh.db')).database
    expect(schemaOf(database)).toEqual(schemaOf(fresh))
    fresh.close()
    database.close()

    const copy = new Database(`${file}.schema-${version}.backup`, { readonly: true })
    expect(schemaVersion(copy)).toBe(version)
    expect(copy.prepare('SELECT name FROM run').pluck().all()).toEqual(['kept'])
    copy.close()
  })

  it('leave the file as it was when a step fails half-way, and go on where they stopped once it is mended', () => {
    openDatabase(file, migrations).database.close()
    const broken = [...migrations, 'CREATE TABLE extra (id INTEGER PRIMARY KEY) STRICT; INSERT INTO extra VALUES (1); INSERT INTO nowhere VALUES (1);']
    expect(() => openDatabase(file, broken)).toThrow('nowhere')

    const { database } = openDatabase(file, migrations)
    expect(schemaVersion(database)).toBe(migrations.length)
    expect(database.prepare(`SELECT count(*) FROM sqlite_schema WHERE name = 'extra'`).pluck().get()).toBe(0)
    expect(existsSync(`${file}.schema-${migrations.length}.backup`)).toBe(true)
    migrate(database, file, [...migrations, 'CREATE TABLE extra (id INTEGER PRIMARY KEY) STRICT;'])
    expect(schemaVersion(database)).toBe(migrations.length + 1)
    database.close()
  })

  it('refuse to leave rows that refer to nothing', () => {
    openDatabase(file, migrations).database.close()
    const dangling = [...migrations, `PRAGMA defer_foreign_keys = ON; INSERT INTO run_event (run_id, seq, at, body) VALUES (99, 1, 0, '{}');`]
    expect(() => openDatabase(file, dangling)).toThrow('refer to missing ones')
    const { database } = openDatabase(file, migrations)
    expect(database.prepare('SELECT count(*) FROM run_event').pluck().get()).toBe(0)
    database.close()
  })

  it('shows a history of a newer version without changing it', () => {
    openDatabase(file, migrations).database.close()
    const raised = new Database(file)
    raised.pragma(`user_version = ${migrations.length + 1}`)
    raised.close()
    const { database, readOnly } = openDatabase(file)
    expect(readOnly).toMatchObject({ code: 'DATABASE_NEWER', message: expect.stringContaining('newer version of this application') as string })
    expect(() => database.exec('DELETE FROM run')).toThrow('readonly')
    database.close()
  })
})
