import Database from 'better-sqlite3'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startProgram } from './start-program.ts'

const kills = 100

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'hinm-killed-'))
})
afterEach(() => {
  rmSync(home, { recursive: true, force: true })
})

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

interface Row {
  id: number
  status: string
  ended: number | null
  samples: number
}

function look<T>(read: (database: Database.Database) => T): T {
  const database = new Database(join(home, 'history.db'))
  try {
    return read(database)
  } finally {
    database.close()
  }
}

const casesNow = (): Row[] =>
  look(
    (database) =>
      database
        .prepare('SELECT id, status, ended_at AS ended, (SELECT count(*) FROM sample_set WHERE case_id = run_case.id) AS samples FROM run_case ORDER BY id')
        .all() as Row[],
  )

it(
  `an application killed at ${kills} random moments of a sweep loses at most the case in flight each time, and the sweep comes to its end`,
  { timeout: 300_000 },
  async () => {
    let before: Row[] = []
    const inFlight: number[] = []
    for (let kill = 0; kill < kills; kill++) {
      const program = startProgram('sweep.ts', [home])
      await program.line('ready')
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 60))
      program.child.kill('SIGKILL')
      expect(await program.ended).toBe('SIGKILL')

      const now = casesNow()
      expect(look((database) => database.pragma('quick_check', { simple: true }))).toBe('ok')
      // What was told as finished is there, whole.
      const told = program.lines.filter((line) => /^\d+$/.test(line)).map(Number)
      for (const id of told) expect(now.find((row) => row.id === id)).toMatchObject({ status: 'done', samples: 1 })
      // What was there before is there still, and was not measured again.
      for (const row of before.filter(({ status }) => status === 'done')) expect(now.find(({ id }) => id === row.id)).toEqual(row)
      const running = now.filter(({ status }) => status === 'running')
      expect(running.length).toBeLessThanOrEqual(1)
      expect(running.every(({ samples }) => samples === 0)).toBe(true)
      inFlight.push(running.length)
      before = now
    }
    // The kills did land inside cases, not only between them.
    expect(inFlight.filter((count) => count === 1).length).toBeGreaterThan(kills / 4)

    const last = startProgram('sweep.ts', [home])
    await last.line('end')
    expect(await last.ended).toBe(0)
    const cases = casesNow()
    // 2:4 is one pattern and HiNM three sparsities, for 150 seeds.
    expect(cases).toHaveLength(4 * 150)
    expect(cases.every(({ status, samples }) => status === 'done' && samples === 1)).toBe(true)
    const events = look((database) => database.prepare('SELECT seq FROM run_event ORDER BY seq').pluck().all() as number[])
    expect(new Set(events).size).toBe(events.length)
  },
)

it('a migration that is killed half-way leaves the history as it was', { timeout: 60_000 }, async () => {
  const first = startProgram('sweep.ts', [home])
  await first.line('1')
  first.child.kill('SIGKILL')
  await first.ended
  const before = casesNow()

  const program = startProgram('slow-migration.ts', [join(home, 'history.db')])
  await program.line('migrating')
  await pause(700)
  program.child.kill('SIGKILL')
  expect(await program.ended).toBe('SIGKILL')

  expect(casesNow()).toEqual(before)
  expect(look((database) => database.prepare(`SELECT count(*) FROM sqlite_schema WHERE name = 'half'`).pluck().get())).toBe(0)
  const after = startProgram('sweep.ts', [home])
  await after.line('ready')
  after.child.kill('SIGKILL')
  await after.ended
})
