import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
let home = ''
const started: ChildProcess[] = []
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'hinm-server-main-'))
})
afterEach(() => {
  for (const server of started.splice(0)) server.kill('SIGKILL')
})
afterAll(() => {
  rmSync(home, { recursive: true, force: true })
})

interface Started {
  server: ChildProcess
  out: () => string
  err: () => string
}

function start(values: string[]): Started {
  const server = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'server/main.ts', ...values], {
    cwd: root,
    env: { ...process.env, HINM_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(server)
  let out = ''
  let err = ''
  server.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  server.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
  return { server, out: () => out, err: () => err }
}

const oneSentence = /^[A-Z"'][^\n]*\.\n$/

describe('the server program', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('prints its link and nothing else, and ends in order at %s', async (signal) => {
    const { server, out, err } = start([])
    await once(server.stdout!, 'data')
    const gone = once(server, 'exit')
    server.kill(signal)
    expect(await gone).toEqual([0, null])
    expect(out()).toMatch(/^HiNM Bench is served at http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}\n$/)
    expect(err()).toBe('')
  })

  it('takes the port that it is given, and says when it is taken', async () => {
    const other = createServer()
    await once(other.listen(0, '127.0.0.1'), 'listening')
    const { port } = other.address() as AddressInfo
    const { server, out, err } = start(['--port', String(port)])
    expect(await once(server, 'exit')).toEqual([1, null])
    expect(err()).toMatch(oneSentence)
    expect(err()).toContain(`Port ${port} is used by another program`)
    expect(out()).toBe('')
    other.close()
  })

  it.each(['-1', '70000', 'http', '80.5'])('refuses the port %s with one sentence', async (port) => {
    const { server, err } = start(['--port', port])
    expect(await once(server, 'exit')).toEqual([1, null])
    expect(err()).toContain('Choose a whole number from 0 to 65535')
    expect(err().trimEnd().split('\n')).toHaveLength(1)
  })
})
