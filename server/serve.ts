import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AppError } from '../contract/error.ts'
import type { AppContext } from '../core/app/app-context.ts'
import { Access } from './access.ts'
import { pageRequests } from './page-requests.ts'
import { acceptSockets } from './rpc-sockets.ts'

export interface ServeOptions {
  context: AppContext
  /** Folder of the built page. */
  folder: string
  /** 0 takes any free port. */
  port: number
}

export interface Served {
  /** The link that grants access; it holds the token. */
  url: string
  port: number
  close: () => Promise<void>
}

/**
 * Serves the page and the contract on 127.0.0.1 and nowhere else: a machine far away is reached through a tunnel.
 * @throws AppError INVALID_ARGUMENT when the port cannot be had.
 */
export async function serve({ context, folder, port }: ServeOptions): Promise<Served> {
  const server = createServer()
  await listen(server, port)
  const bound = (server.address() as AddressInfo).port
  const access = new Access(bound)
  const requests = pageRequests(access, folder)
  server.on('request', (request, response) => {
    requests(request, response).catch((fault: unknown) => {
      context.report(fault)
      response.destroy()
    })
  })
  const closeSockets = acceptSockets(server, access, context)
  return {
    url: `http://127.0.0.1:${bound}/?token=${access.token}`,
    port: bound,
    async close() {
      closeSockets()
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function listen(server: Server, port: number): Promise<void> {
  try {
    const listening = once(server, 'listening')
    server.listen(port, '127.0.0.1')
    await listening
  } catch (thrown) {
    const code = (thrown as NodeJS.ErrnoException).code
    const why = code === 'EADDRINUSE' ? 'is used by another program' : code === 'EACCES' ? 'may not be used by this user' : (thrown as Error).message
    throw new AppError('INVALID_ARGUMENT', `Port ${port} ${why}; choose another one from 1024 to 65535, or 0 for any free one.`, { cause: thrown })
  }
}
