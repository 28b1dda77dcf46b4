import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { serve } from './serve.ts'
import { testServer, type TestServer } from './testing/test-server.ts'

let server: TestServer
beforeEach(async () => {
  server = await testServer()
})
afterEach(() => server.end())

/** A request as bytes, because a client library would correct what an attacker would not. */
async function raw(text: string): Promise<string> {
  const socket = connect(server.port, '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
  socket.write(text)
  await once(socket, 'close')
  return answer
}
const get = (path: string, headers: Record<string, string> = {}): Promise<string> =>
  raw(
    [
      `GET ${path} HTTP/1.1`,
      ...Object.entries({ Host: `127.0.0.1:${server.port}`, ...headers }).map(([name, value]) => `${name}: ${value}`),
      'Connection: close',
      '',
      '',
    ].join('\r\n'),
  )
const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])

describe('access over HTTP', () => {
  it('exchanges the token of the link for a cookie and takes it out of the address', async () => {
    const response = await fetch(server.url, { redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([303, '/'])
    expect(response.headers.get('set-cookie')).toMatch(/^hinm-\d+=[\w-]+; HttpOnly; SameSite=Strict; Path=\/$/)
  })

  it('shows the page to whoever has the cookie, and to nobody else', async () => {
    expect(await get('/', { Cookie: await server.login() })).toContain('<title>page</title>')
    const refused = await get('/')
    expect(statusOf(refused)).toBe(401)
    expect(refused).not.toContain('<title>page</title>')
  })

  it('refuses a wrong token, and after ten of them looks at no token for a while', async () => {
    const statuses = []
    for (let attempt = 0; attempt < 12; attempt++) statuses.push(statusOf(await get('/?token=wrong')))
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429])
    expect((await fetch(server.url, { redirect: 'manual' })).status).toBe(429)
  })

  it('lets people who are in go on while tokens are locked', async () => {
    const cookie = await server.login()
    for (let attempt = 0; attempt < 11; attempt++) await get('/?token=wrong')
    expect(statusOf(await get('/', { Cookie: cookie }))).toBe(200)
  })

  it.each(['evil.example', 'evil.example:80', '127.0.0.1.nip.example', ''])('answers nothing to the name %j (DNS rebinding)', async (host) => {
    const answer = await get('/', { Host: host, Cookie: await server.login() })
    expect([400, 421]).toContain(statusOf(answer))
    expect(answer).not.toContain('<title>page</title>')
  })

  it('refuses a request without a Host', async () => {
    const answer = await raw(`GET / HTTP/1.0\r\nCookie: ${await server.login()}\r\n\r\n`)
    expect(statusOf(answer)).toBe(421)
  })

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])('has nothing to %s to', async (method) => {
    const response = await fetch(server.origin, { method, headers: { cookie: await server.login() } })
    expect(response.status).toBe(405)
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })

  it.each(['/../history.db', '/history.db', '/%2e%2e/history.db', '/..%2f..%2fetc/passwd', '//etc/passwd', '/index.html/../../history.db'])(
    'finds nothing at %s',
    async (path) => {
      expect(statusOf(await get(path, { Cookie: await server.login() }))).toBe(404)
    },
  )

  it('sends every answer with the policy of the page, and allows no other site to read it', async () => {
    for (const path of ['/', '/nothing', '/?token=wrong']) {
      const answer = await get(path, { Cookie: await server.login(), Origin: 'http://evil.example' })
      expect(answer).toMatch(/content-security-policy: default-src 'none'; script-src 'self';/i)
      expect(answer).toMatch(/x-content-type-options: nosniff/i)
      expect(answer).not.toMatch(/access-control-allow/i)
    }
  })

  it('shows no stack when a request is nonsense, and lives on', async () => {
    for (const nonsense of [
      'NONSENSE\r\n\r\n',
      `GET http://[ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    ]) {
      const answer = await raw(nonsense)
      expect(answer).not.toMatch(/\n\s+at |\.ts:\d|node:internal/)
    }
    expect(statusOf(await get('/', { Cookie: await server.login() }))).toBe(200)
  })
})

describe('where it listens', () => {
  it('is reached on 127.0.0.1 and on no other address of this machine', async () => {
    const others = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ family, address }) => family === 'IPv4' && address !== '127.0.0.1')
    for (const { address } of [...others, { address: '127.0.0.2' }]) {
      const socket = connect(server.port, address)
      const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException]
      expect(error.code).toBe('ECONNREFUSED')
    }
  })

  it('says in words that a port is taken', async () => {
    const other = createServer()
    await once(other.listen(0, '127.0.0.1'), 'listening')
    const { port } = other.address() as AddressInfo
    await expect(serve({ context: server.app.context, folder: '/', port })).rejects.toThrow(
      `Port ${port} is used by another program; choose another one from 1024 to 65535, or 0 for any free one.`,
    )
    other.close()
  })
})

describe('the upgrade to a WebSocket', () => {
  const open = async (headers: Record<string, string>, path = '/rpc'): Promise<string> => {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`, { headers })
    const opened = once(socket, 'open').then(() => 'open')
    const refused = new Promise<string>((resolve) => {
      socket.on('unexpected-response', (_request, response) => {
        resolve(String(response.statusCode))
        response.destroy()
      })
    })
    const outcome = await Promise.race([opened, refused])
    socket.on('error', () => undefined)
    socket.terminate()
    return outcome
  }

  it('is granted to our own page with the cookie', async () => {
    expect(await open({ origin: server.origin, cookie: await server.login() })).toBe('open')
  })

  it('is refused without the cookie, and with the link’s token in its place', async () => {
    expect(await open({ origin: server.origin })).toBe('401')
    expect(await open({ origin: server.origin, cookie: `hinm-${server.port}=${new URL(server.url).searchParams.get('token')}` })).toBe('401')
  })

  it.each([{ origin: 'http://evil.example' }, { origin: 'null' }, {}])('is refused to a page from elsewhere, or from nowhere: %j', async (origin) => {
    expect(await open({ ...(origin as Record<string, string>), cookie: await server.login() })).toBe('403')
  })

  it('is refused under a name that is not ours', async () => {
    expect(await open({ host: 'evil.example', origin: 'http://evil.example', cookie: await server.login() })).toBe('421')
  })

  it('is granted nowhere but at its own path', async () => {
    expect(await open({ origin: server.origin, cookie: await server.login() }, '/other')).toBe('404')
  })
})

describe('messages on the WebSocket', () => {
  const send = async (message: string | Buffer): Promise<number> => {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/rpc`, { headers: { origin: server.origin, cookie: await server.login() } })
    await once(socket, 'open')
    const closed = once(socket, 'close') as Promise<[number]>
    socket.send(message)
    const [code] = await closed
    return code
  }

  it.each(['nonsense', '{', '[]', '{"i":"1"}', '{"i":"1","p":{"u":7}}', Buffer.from([0, 255, 7])])(
    'ends the connection on %j and lives on',
    async (message) => {
      expect(await send(message)).toBe(1007)
      expect(statusOf(await get('/', { Cookie: await server.login() }))).toBe(200)
    },
  )

  it('ends the connection on a message above one mebibyte', async () => {
    expect(await send('x'.repeat((1 << 20) + 1))).toBe(1009)
  })
})
