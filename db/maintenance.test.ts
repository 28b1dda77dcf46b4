import Database from 'better-sqlite3'
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openHistory, type History } from './history.ts'
import { migrations } from './migrations/index.ts'
import { repairHistory } from './repair.ts'
import { addRun, caseResult, environment } from './testing/example-rows.ts'

let folder: string
let file: string
let history: History
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hinm-care-'))
  file = join(folder, 'history.db')
  history = openHistory(file)
})
afterEach(() => {
  history.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A run of two cases of which the first `finished` are done, with an event that names the first case. */
async function runOf(target: History, uid: string, finished: number): Promise<number> {
  return await target.write(() => {
    const id = addRun(target, 2, uid)
    for (const { id: caseId } of target.cases.ofRun(id).slice(0, finished))
      target.cases.finish(caseId, caseResult, target.environments.remember(environment), 1)
    target.events.add(id, 1, 0, { type: 'case-finished', caseId: target.cases.ofRun(id)[0]!.id })
    target.runs.setStatus(id, finished === 2 ? 'done' : 'cancelled', null, 5)
    return id
  })
}

const uids = (target: History): string[] =>
  target.runs
    .list()
    .map(({ id }) => rawUid(target.file, id))
    .sort()
function rawUid(path: string, id: number): string {
  const database = new Database(path)
  try {
    return database.prepare('SELECT uid FROM run WHERE id = ?').pluck().get(id) as string
  } finally {
    database.close()
  }
}

describe('backups', () => {
  it('are made once a day and the newest five are kept', async () => {
    await runOf(history, 'u', 2)
    for (let day = 1; day <= 7; day++) expect(await history.maintenance.backUp(new Date(Date.UTC(2026, 0, day)))).toContain(`2026-01-0${day}`)
    expect(await history.maintenance.backUp(new Date(Date.UTC(2026, 0, 7)))).toBeNull()
    expect(readdirSync(join(folder, 'backups')).sort()).toEqual([3, 4, 5, 6, 7].map((day) => `history-2026-01-0${day}.db`))
    const backup = openHistory(history.maintenance.backups()[0]!.path)
    expect(backup.runs.list()).toHaveLength(1)
    backup.close()
  })
})

describe('another history', () => {
  let other: History
  beforeEach(() => {
    other = openHistory(join(folder, 'other.db'))
  })
  afterEach(() => {
    other.close()
  })

  it('is taken over whole, and a second time adds nothing', async () => {
    await runOf(history, 'ours', 2)
    await runOf(other, 'theirs', 2)
    expect(await history.maintenance.importFrom(other.file, new Set())).toEqual({ added: 1, replaced: 0, known: 0, lost: [] })
    expect(await history.maintenance.importFrom(other.file, new Set())).toEqual({ added: 0, replaced: 0, known: 1, lost: [] })
    expect(uids(history)).toEqual(['ours', 'theirs'])
    const [copied] = history.runs.list().filter(({ id }) => rawUid(file, id) === 'theirs')
    const cases = history.cases.ofRun(copied!.id)
    expect(cases[0]!.result).toEqual({ ...caseResult, samples: [] })
    expect(history.samples.ofCase(cases[0]!.id)).toEqual(caseResult.samples)
    // Its events name the case by the id that it has here.
    expect(JSON.parse(history.events.after(copied!.id, 0)[0]!.body)).toEqual({ type: 'case-finished', caseId: cases[0]!.id })
    expect(history.maintenance.problems()).toEqual([])
  })

  it('replaces a run that it has got further with, and no other', async () => {
    await runOf(history, 'further there', 1)
    await runOf(other, 'further there', 2)
    await runOf(history, 'further here', 2)
    await runOf(other, 'further here', 1)
    expect(await history.maintenance.importFrom(other.file, new Set())).toEqual({ added: 0, replaced: 1, known: 1, lost: [] })
    expect(history.runs.list().map(({ counts }) => counts.done)).toEqual([2, 2])
  })

  it('leaves a run alone that goes on here', async () => {
    const id = await runOf(history, 'busy', 0)
    await runOf(other, 'busy', 2)
    expect(await history.maintenance.importFrom(other.file, new Set([id]))).toMatchObject({ replaced: 0, known: 1 })
  })

  it('is refused when it is none', async () => {
    writeFileSync(join(folder, 'notes.txt'), 'not a database, but long enough to be looked at as one'.repeat(20))
    await expect(history.maintenance.importFrom(join(folder, 'notes.txt'), new Set())).rejects.toMatchObject({ code: 'DATABASE_CORRUPT' })
    const foreign = new Database(join(folder, 'foreign.db'))
    foreign.exec('CREATE TABLE songs (id INTEGER)')
    foreign.close()
    await expect(history.maintenance.importFrom(join(folder, 'foreign.db'), new Set())).rejects.toMatchObject({ code: 'DATA_INVALID' })
    await expect(history.maintenance.importFrom(join(folder, 'nowhere.db'), new Set())).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' })
    const newer = new Database(join(folder, 'newer.db'))
    newer.pragma(`user_version = ${migrations.length + 1}`)
    newer.close()
    await expect(history.maintenance.importFrom(join(folder, 'newer.db'), new Set())).rejects.toMatchObject({ code: 'DATABASE_NEWER' })
  })

  it('is written by an export, which overwrites nothing', async () => {
    await runOf(history, 'u', 2)
    const path = join(folder, 'export.db')
    history.maintenance.exportTo(path)
    const before = readFileSync(path)
    expect(() => {
      history.maintenance.exportTo(path)
    }).toThrow('there already')
    expect(readFileSync(path)).toEqual(before)
    expect(await other.maintenance.importFrom(path, new Set())).toMatchObject({ added: 1 })
  })
})

describe('a damaged history', () => {
  async function filled(runs: number): Promise<void> {
    for (let index = 0; index < runs; index++) {
      const id = await runOf(history, `run ${index}`, 2)
      const caseId = history.cases.ofRun(id)[0]!.id
      // Incompressible, so that the file grows well beyond the pages that hold its schema.
      await history.write(() => {
        history.samples.add(caseId, { layer: null, metric: 'kernel.time', values: Array.from({ length: 5000 }, (_, at) => Math.sin(at * (index + 1))) })
      })
    }
  }

  it('that was cut in half is refused with words and repaired from its readable runs and the backup', async () => {
    await filled(10)
    await history.maintenance.backUp(new Date())
    await filled(0)
    history.close()
    const size = readFileSync(file).length
    truncateSync(file, Math.floor(size / 2))

    expect(() => openHistory(file)).toThrow(/damaged \(it holds \d+ of \d+ bytes\); "hinm history repair"/)
    const result = await repairHistory(file, new Date(0))
    expect(existsSync(result.aside)).toBe(true)
    history = openHistory(file)
    expect(history.runs.list()).toHaveLength(10)
    expect(result.fromBackups).toBeGreaterThan(0)
    expect(history.maintenance.problems()).toEqual([])
  })

  it('gives what can be read where there is no backup', async () => {
    await filled(6)
    history.close()
    // One page in the middle of the samples is overwritten: runs whose rows lie elsewhere are whole.
    const bytes = readFileSync(file)
    bytes.fill(0xff, bytes.length - 3 * 4096, bytes.length - 2 * 4096)
    writeFileSync(file, bytes)
    const result = await repairHistory(file, new Date(0))
    history = openHistory(file)
    expect(history.runs.list()).toHaveLength(result.saved)
    expect(result.saved + result.lost.length).toBe(6)
    expect(result.saved).toBeGreaterThanOrEqual(4)
  })

  it('whose journal was left over is looked through before it is trusted', async () => {
    await filled(4)
    const copy = join(folder, 'copy.db')
    for (const suffix of ['', '-wal']) copyFileSync(file + suffix, copy + suffix)
    expect(openHistory(copy).runs.list()).toHaveLength(4)
  })
})
