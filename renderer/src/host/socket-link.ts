import type { ClientContext, ClientLink, ClientOptions } from '@orpc/client'
import { RPCLink } from '@orpc/client/websocket'
import { AppError } from '../../../contract/error.ts'

interface Connection {
  socket: WebSocket
  link: RPCLink<ClientContext>
  /** Settles when the socket is open, or was refused. */
  ready: Promise<void>
}

const unreachable = (what: string): AppError =>
  new AppError('HOST_UNREACHABLE', `${what}; check that the server still runs, and if it was started anew, open the link that it printed.`)

/**
 * Carries calls over a WebSocket that is opened when it is needed and again after it was lost. A call that is open when
 * the connection breaks fails, because whether it was obeyed is not known; the next one connects anew.
 */
export class SocketLink implements ClientLink<ClientContext> {
  readonly #connect: () => WebSocket
  #connection: Connection | undefined

  constructor(connect: () => WebSocket) {
    this.#connect = connect
  }

  /** @throws AppError HOST_UNREACHABLE, or the procedure's own failure. */
  async call(path: readonly string[], input: unknown, options: ClientOptions<ClientContext>): Promise<unknown> {
    const { socket, link, ready } = this.#current()
    await ready
    try {
      return await link.call(path, input, options)
    } catch (thrown) {
      if (socket.readyState === socket.OPEN || options.signal?.aborted) throw thrown
      throw unreachable('The connection to the server was lost before it answered')
    }
  }

  /** A socket that is closing counts as closed: what is sent on it is lost. */
  #current(): Connection {
    const known = this.#connection
    if (known && known.socket.readyState <= known.socket.OPEN) return known
    return (this.#connection = this.#open())
  }

  #open(): Connection {
    const socket = this.#connect()
    const { promise, resolve, reject } = Promise.withResolvers<undefined>()
    socket.addEventListener('open', () => {
      resolve(undefined)
    })
    socket.addEventListener('close', () => {
      if (this.#connection?.socket === socket) this.#connection = undefined
      reject(unreachable('The server could not be reached'))
    })
    return { socket, link: new RPCLink({ websocket: socket }), ready: promise }
  }
}
