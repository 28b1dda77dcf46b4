import { createORPCClient } from '@orpc/client'
import type { Client } from '../client.ts'
import type { HostConnection } from './host.ts'
import { SocketLink } from './socket-link.ts'

/** The contract over a WebSocket to the server at `address` (the page's own, http or https). */
export function connectBrowser(address: URL): HostConnection {
  const socketAddress = new URL(address)
  socketAddress.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
  socketAddress.search = ''
  socketAddress.hash = ''
  return {
    client: createORPCClient<Client>(new SocketLink(() => new WebSocket(socketAddress))),
    host: { kind: 'browser', onCommand: () => undefined },
  }
}
