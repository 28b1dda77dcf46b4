import { createORPCClient } from '@orpc/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket as Socket } from 'ws'
import type { Client } from '../renderer/src/client.ts'
import { SocketLink } from '../renderer/src/host/socket-link.ts'
import { testServer, type TestServer } from './testing/test-server.ts'

let server: TestServer
let sockets: Socket[]
beforeEach(async () => {
  server = await testServer()
  sockets = []
})
afterEach(() => server.end())

/** The page's own client over real sockets; a browser would send origin and cookie by itself. */
async function connect(): Promise<Client> {
  const cookie = await server.login()
  return createORPCClient<Client>(
    new SocketLink(() => {
      const socket = new Socket(`ws://127.0.0.1:${server.port}/rpc`, { headers: { origin: server.origin, cookie } })
      socket.on('error', () => undefined)
      sockets.push(socket)
      return socket as unknown as WebSocket
    }),
  )
}

describe('the contract over a WebSocket', () => {
  it('answers, on one connection', async () => {
    const client = await connect()
    const [info] = await Promise.all([client.app.info(), client.runs.list()])
    expect(info.host).toBe('server')
    expect(sockets).toHaveLength(1)
  })

  it('streams a run to its end', async () => {
    const client = await connect()
    const { id } = await client.runs.start({ project: 'two', patterns: ['dense', '2:4'] })
    const types = []
    for await (const event of await client.runs.watch({ id, after: 0 })) types.push(event.type)
    expect([types[0], types.at(-1)]).toEqual(['started', 'ended'])
  })

  it('tells a failure with its code and its sentence, and no stack', async () => {
    const client = await connect()
    const failure = await client.runs.get({ id: 99 }).catch((thrown: unknown) => thrown)
    expect(failure).toMatchObject({ code: 'NOT_FOUND', message: expect.stringContaining('There is no run 99') as string })
    expect(JSON.stringify(failure)).not.toMatch(/\.ts:\d|node:internal/)
  })

  it('comes back after the connection was lost, and goes on where it stopped', async () => {
    const client = await connect()
    const { id } = await client.runs.start({ project: 'two', patterns: ['dense'] })
    const seen: number[] = []
    for await (const event of await client.runs.watch({ id, after: 0 })) seen.push(event.seq)
    sockets[0]!.terminate()
    const later: number[] = []
    for await (const event of await client.runs.watch({ id, after: seen[1]! })) later.push(event.seq)
    expect(later).toEqual(seen.slice(2))
    expect(sockets).toHaveLength(2)
  })

  it('fails a call that is open when the connection breaks, in words', async () => {
    await server.end()
    server = await testServer(() => 'wait')
    const client = await connect()
    const { id } = await client.runs.start({ project: 'two', patterns: ['dense'] })
    const stream = await client.runs.watch({ id, after: 0 })
    const rest = (async () => {
      for await (const event of stream) if (event.type === 'ended') return 'ended'
      return 'nothing more'
    })()
    sockets[0]!.terminate()
    await expect(rest).rejects.toMatchObject({ code: 'HOST_UNREACHABLE' })
    expect((await client.runs.list())[0]?.status).toBe('running')
  })

  it('says that the server is gone when it is', async () => {
    const client = await connect()
    await client.app.info()
    await server.close()
    await expect.poll(() => sockets[0]!.readyState).toBe(Socket.CLOSED)
    await expect(client.app.info()).rejects.toMatchObject({
      code: 'HOST_UNREACHABLE',
      message: expect.stringContaining('check that the server still runs') as string,
    })
  })
})
