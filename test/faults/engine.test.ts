import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RunEvent, RunRequest } from '../../contract/run.ts'
import { createApp, type App } from '../../core/app/app-context.ts'
import { engineEntry, spawnNode } from '../../core/engine/spawn-node.ts'
import type { EngineProcess, SpawnEngine } from '../../core/engine/engine-process.ts'
import { createRouterClient, type RouterClient } from '@orpc/server'
import { router } from '../../core/app/router.ts'
import { start } from './start-program.ts'

const sample = join(import.meta.dirname, '..', '..', 'samples', 'fashion')
const limits = { graceMilliseconds: 2000, silenceSeconds: 3, stallSeconds: 60 }
const quick: RunRequest = {
  project: sample,
  models: ['fashion-mlp'],
  patterns: ['dense', '2:4', 'vector', 'hinm'],
  sparsities: [75],
  timing: false,
  accuracy: false,
}

let home: string
let app: App
let engines: EngineProcess[]
let api: RouterClient<typeof router>

function open(spawn: SpawnEngine): void {
  engines = []
  const spawnEngine = (): EngineProcess => {
    const engine = spawn()
    engines.push(engine)
    return engine
  }
  app = createApp({ host: 'cli', home, version: '0', spawnEngine, limits })
  api = createRouterClient(router, { context: app.context })
}

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'hinm-engine-faults-'))
})
afterEach(async () => {
  await app.close()
  rmSync(home, { recursive: true, force: true })
})

/** Runs `request`; `disturb` is told of every event. */
async function run(
  request: RunRequest,
  disturb: (event: RunEvent) => void = () => undefined,
): Promise<{ statuses: string[]; reasons: (string | null)[]; status: string }> {
  const { id } = await api.runs.start(request)
  for await (const event of await api.runs.watch({ id, after: 0 })) disturb(event)
  const detail = await api.runs.get({ id })
  return { statuses: detail.cases.map(({ status }) => status), reasons: detail.cases.map(({ reason }) => reason), status: detail.status }
}

const signalEngine = (signal: NodeJS.Signals): void => {
  const pid = engines.at(-1)?.pid
  if (pid === undefined) throw new Error('the engine has no process')
  process.kill(pid, signal)
}

const isAlive = (pid: number): boolean => {
  try {
    // A process that has ended but was not waited for yet still has its number.
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}

describe('a real engine', () => {
  it.each(['SIGKILL', 'SIGSEGV', 'SIGABRT'] as const)('that ends by %s in the second case costs that case only', async (signal) => {
    open(spawnNode())
    const { statuses, reasons, status } = await run(quick, (event) => {
      if (event.type === 'case-started' && event.index === 1) signalEngine(signal)
    })
    expect(statuses).toEqual(['done', 'failed', 'done', 'done'])
    expect(reasons[1]).toContain(`ended by signal ${signal}`)
    expect(status).toBe('done')
  })

  it('that hangs in the second case is ended, and the third one runs in a new one', { timeout: 60_000 }, async () => {
    open(spawnNode())
    const { statuses, reasons } = await run(quick, (event) => {
      if (event.type === 'case-started' && event.index === 1) signalEngine('SIGSTOP')
    })
    expect(statuses).toEqual(['done', 'failed', 'done', 'done'])
    expect(reasons[1]).toContain('no sign of life for 3 s')
  })

  it('that hangs is ended by a cancel', async () => {
    open(spawnNode())
    const { statuses, status } = await run(quick, (event) => {
      if (event.type !== 'case-started' || event.index !== 1) return
      signalEngine('SIGSTOP')
      void api.runs.cancel({ id: event.runId })
    })
    expect(statuses).toEqual(['done', 'cancelled', 'planned', 'planned'])
    expect(status).toBe('cancelled')
    const pid = engines.at(-1)!.pid!
    await expect.poll(() => isAlive(pid)).toBe(false)
  })

  it.skipIf(process.platform !== 'linux')('that runs out of memory says so and goes on', { timeout: 120_000 }, async () => {
    // Half a gigabyte of addresses beyond what the engine takes to start and to prune; 65536 activation columns take more.
    const limited = join(home, 'limited-node')
    writeFileSync(limited, `#!/bin/sh\nulimit -v 3000000\nexec "${process.execPath}" "$@"\n`)
    chmodSync(limited, 0o755)
    open(spawnNode(engineEntry(), limited))
    const starved = await run({ ...quick, patterns: ['hinm'], columns: 65_536, timing: true })
    expect(starved.statuses).toEqual(['failed'])
    expect(starved.reasons[0]).toMatch(/memory/)
    expect((await run({ ...quick, patterns: ['hinm'], columns: 16 })).statuses).toEqual(['done'])
  })
})

it.skipIf(process.platform !== 'linux')('an engine ends with the application that is killed', { timeout: 60_000 }, async () => {
  open(spawnNode())
  const cli = start(
    process.execPath,
    [
      join(import.meta.dirname, '..', '..', 'cli', 'hinm.mjs'),
      'run',
      sample,
      '--models',
      'fashion-cnn',
      '--patterns',
      'hinm',
      '--sparsity',
      '75',
      '--strategies',
      'gyro',
      '--no-accuracy',
    ],
    {
      env: { ...process.env, HINM_HOME: join(home, 'other') },
    },
  )
  const children = (): number[] => readFileSync(`/proc/${cli.child.pid}/task/${cli.child.pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
  await expect.poll(() => children().length, { timeout: 20_000 }).toBeGreaterThan(0)
  const found = children()
  cli.child.kill('SIGKILL')
  await expect.poll(() => found.some(isAlive), { timeout: 5000 }).toBe(false)
})
