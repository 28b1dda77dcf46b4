import { AsyncIteratorClass, type ClientContext, type ClientLink, type ClientOptions } from '@orpc/client'
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

/** Does the work. When it fails and `own` is not true, the connection is to blame, whatever the library below says of it. */
async function inWords<T>(work: () => Promise<T>, own: () => boolean): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    throw own() ? thrown : unreachable('The connection to the server was lost before it answered')
  }
}

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

  /** @throws AppError HOST_UNREACHABLE, or the procedure's own failure; so does a stream that it answers with. */
  async call(path: readonly string[], input: unknown, options: ClientOptions<ClientContext>): Promise<unknown> {
    const { socket, link, ready } = this.#current()
    await ready
    const told = <T>(work: () => Promise<T>): Promise<T> => inWords(work, () => socket.readyState === socket.OPEN || options.signal?.aborted === true)
    const answer = await told(() => link.call(path, input, options))
    if (!(answer instanceof AsyncIteratorClass)) return answer
    const stream = answer as AsyncIteratorClass<unknown>
    return new AsyncIteratorClass(
      () => told(() => stream.next()),
      async () => {
        await stream.return()
      },
    )
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
