import Database from 'better-sqlite3'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openHistory } from '../../db/history.ts'
import { migrations } from '../../db/migrations/index.ts'
import { addRun } from '../../db/testing/example-rows.ts'
import { programs, start, startProgram } from './start-program.ts'

const nobody = 65_534

let home: string
const file = (): string => join(home, 'history.db')

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'hinm-disk-'))
})
afterEach(() => {
  chmodSync(home, 0o755)
  rmSync(home, { recursive: true, force: true })
})

async function historyWithRuns(count: number): Promise<void> {
  const history = openHistory(file())
  for (let index = 0; index < count; index++) await history.write(() => addRun(history, 3))
  history.close()
}

interface Look {
  runs: number
  unopened: boolean
  readOnly: string | null
  message: string | null
  refused: { code: string; message: string } | null
}

/** What the application shows; as a person without rights where `asNobody`, because root may write everywhere. */
async function look({ asNobody = false } = {}): Promise<Look> {
  const program = startProgram('look.ts', [home], asNobody && process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {})
  expect(await program.ended, program.errors()).toBe(0)
  expect(program.lines).toHaveLength(1)
  return JSON.parse(program.lines[0]!) as Look
}

describe.skipIf(process.platform === 'win32')('a folder that cannot be written', () => {
  it('shows its runs and refuses to save, both in words', async () => {
    await historyWithRuns(2)
    chmodSync(home, 0o555)
    const seen = await look({ asNobody: true })
    expect(seen).toMatchObject({ runs: 2, unopened: false, readOnly: 'DATABASE_READ_ONLY', refused: { code: 'DATABASE_READ_ONLY' } })
    expect(seen.message).toMatch(/^The folder of the history .* cannot be written, .*\.$/)
  })

  it('shows what a journal that was left over holds', async () => {
    const history = openHistory(file())
    await history.write(() => addRun(history, 1))
    // Both files as they are while the history is open: the run is in the journal only.
    const bytes = ['', '-wal'].map((suffix) => readFileSync(file() + suffix))
    history.close()
    for (const [index, suffix] of ['', '-wal'].entries()) writeFileSync(file() + suffix, bytes[index]!)
    chmodSync(home, 0o555)
    expect(await look({ asNobody: true })).toMatchObject({ runs: 1, readOnly: 'DATABASE_READ_ONLY' })
  })

  it('with nothing in it starts empty and says why', async () => {
    chmodSync(home, 0o555)
    expect(await look({ asNobody: true })).toMatchObject({ runs: 0, unopened: true, readOnly: 'DATABASE_READ_ONLY' })
  })
})

describe('a history', () => {
  it('that was cut to half starts with words, and the command repairs it from the backup', async () => {
    await historyWithRuns(40)
    const history = openHistory(file())
    await history.maintenance.backUp(new Date())
    history.close()
    truncateSync(file(), Math.floor(readFileSync(file()).length / 2 / 4096) * 4096)
    const seen = await look()
    expect(seen).toMatchObject({ runs: 0, unopened: true, readOnly: 'DATABASE_CORRUPT', refused: { code: 'DATABASE_CORRUPT' } })

    const hinm = (...args: string[]): ReturnType<typeof start> =>
      start(process.execPath, [join(import.meta.dirname, '..', '..', 'cli', 'hinm.mjs'), ...args], { env: { ...process.env, HINM_HOME: home } })
    const list = hinm('list')
    expect(await list.ended).toBe(1)
    expect(list.errors()).toMatch(/^hinm: The history .* is damaged .*"hinm history repair".*\n$/)
    const repair = hinm('history', 'repair')
    await repair.ended
    expect(repair.errors()).not.toContain('    at ')
    expect((await look()).runs).toBe(40)
    expect(readdirSync(home).some((name) => name.startsWith('history.db.damaged-'))).toBe(true)
  })

  it('of a newer version is shown and not changed', async () => {
    await historyWithRuns(1)
    const raised = new Database(file())
    raised.pragma(`user_version = ${migrations.length + 1}`)
    raised.close()
    expect(await look()).toMatchObject({ runs: 1, unopened: false, readOnly: 'DATABASE_NEWER', refused: { code: 'DATABASE_NEWER' } })
  })

  it('that another process has locked waits for it, and gives up with words when it takes too long', { timeout: 60_000 }, async () => {
    await historyWithRuns(1)
    const short = startProgram('hold-lock.ts', [file(), '1500'])
    await short.line('held')
    const history = openHistory(file())
    await history.write(() => addRun(history, 0))
    await short.ended

    const long = startProgram('hold-lock.ts', [file(), '60000'])
    await long.line('held')
    const begun = performance.now()
    // Reading goes on all the while.
    const refused = history.write(() => addRun(history, 0))
    expect(history.runs.list()).toHaveLength(2)
    await expect(refused).rejects.toMatchObject({ code: 'DATABASE_BUSY' })
    expect(performance.now() - begun).toBeLessThan(25_000)
    long.child.kill('SIGKILL')
    await long.ended
    history.close()
  })
})

/** A small file system of our own: as root of a name space that ends with the program. */
const canMount = process.platform === 'linux' && spawnSync('unshare', ['-rm', 'true']).status === 0

it.skipIf(!canMount)(
  'a full disk ends the run in words, keeps every finished case, and the history is whole when there is space again',
  { timeout: 60_000 },
  async () => {
    const disk = join(home, 'disk')
    mkdirSync(disk)
    const command = `mount -t tmpfs -o size=2m tmpfs "${disk}" && exec "${process.execPath}" "${join(programs, 'fill-disk.ts')}" "${disk}"`
    const program = start('unshare', ['-rm', 'sh', '-c', command])
    expect(await program.ended, program.errors()).toBe(0)
    const found = JSON.parse(program.lines[0]!) as {
      told: { status: string; reason: string }
      kept: number
      status: string
      keptAfter: number
      problems: string[]
    }
    expect(found.told.status).toBe('failed')
    expect(found.told.reason).toMatch(/^The disk that holds the history .* is full; free some space, then resume the run\.$/)
    expect(found.kept).toBeGreaterThan(10)
    expect(found).toMatchObject({ status: 'failed', keptAfter: found.kept, problems: [] })
  },
)
