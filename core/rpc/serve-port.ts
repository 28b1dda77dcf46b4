import { StandardRPCHandler } from '@orpc/server/standard'
import { createServerPeerHandleRequestFn } from '@orpc/server/standard-peer'
import { ServerPeer } from '@orpc/standard-server-peer'
import type { Port } from '../../contract/port.ts'
import type { AppContext } from '../app/app-context.ts'
import { router } from '../app/router.ts'

const handler = new StandardRPCHandler(router, {})

/**
 * Serves the contract on a port until it is closed; calls that are open then are aborted.
 * `onFault` is told of a message that is none of the protocol's. The library's own adapter for ports would leave it as
 * a rejection that nobody handles, which ends the host.
 */
export function servePort(port: Port, context: AppContext, onFault: (fault: unknown) => void): void {
  const peer = new ServerPeer((message) => {
    port.postMessage(message)
  })
  const handle = createServerPeerHandleRequestFn(handler, { context })
  port.onMessage.addListener((message) => {
    peer.message(message as string | Uint8Array, handle).catch(onFault)
  })
  port.onDisconnect.addListener(() => {
    peer.close()
  })
}
