import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type RawData, type WebSocket } from 'ws'
import { makePort } from '../contract/port.ts'
import type { AppContext } from '../core/app/app-context.ts'
import { servePort } from '../core/rpc/serve-port.ts'
import type { Access } from './access.ts'
import { isOwnHost, isOwnOrigin } from './origin-check.ts'

/** Requests are settings and ids; the largest that a person can write is far below this. */
const largestMessageBytes = 1 << 20
const pingMilliseconds = 20_000
const goingAway = 1001
const notUnderstood = 1007

/** Serves the contract on every WebSocket that a page of this server opens at /rpc. Returns what closes them all. */
export function acceptSockets(server: Server, access: Access, context: AppContext): () => void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: largestMessageBytes })
  server.on('upgrade', (request, stream, head) => {
    const refusal = refuse(request, access)
    if (refusal) refuseStream(stream, refusal)
    else
      sockets.handleUpgrade(request, stream, head, (socket) => {
        serveSocket(socket, context)
      })
  })
  return () => {
    for (const socket of sockets.clients) socket.close(goingAway, 'The server was stopped.')
    sockets.close()
  }
}

function refuse({ headers, url }: IncomingMessage, access: Access): string | null {
  if (!isOwnHost(headers.host)) return '421 Misdirected Request'
  if (!isOwnOrigin(headers.origin, headers.host)) return '403 Forbidden'
  if (!access.admits(headers.cookie)) return '401 Unauthorized'
  return url === '/rpc' ? null : '404 Not Found'
}

function refuseStream(stream: Duplex, status: string): void {
  // The other side may be gone already; there is nobody left to tell.
  stream.on('error', () => undefined)
  stream.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

function serveSocket(socket: WebSocket, context: AppContext): void {
  const { port, deliver, close } = makePort((message) => {
    socket.send(message as string | Uint8Array)
  })
  servePort(port, context, () => {
    socket.close(notUnderstood, 'A message was not understood.')
  })
  socket.on('message', (data, isBinary) => {
    deliver(isBinary ? bytesOf(data) : bytesOf(data).toString('utf8'))
  })
  socket.on('close', close)
  // A message that is too large ends the socket, and ws tells it here too.
  socket.on('error', () => undefined)
  keepAlive(socket)
}

/** Tunnels drop connections that are silent; one that answers no ping is dead. */
function keepAlive(socket: WebSocket): void {
  let answered = true
  socket.on('pong', () => {
    answered = true
  })
  const timer = setInterval(() => {
    if (!answered) {
      socket.terminate()
      return
    }
    answered = false
    socket.ping()
  }, pingMilliseconds)
  timer.unref()
  socket.on('close', () => {
    clearInterval(timer)
  })
}

function bytesOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data)
  return data instanceof ArrayBuffer ? Buffer.from(data) : data
}
