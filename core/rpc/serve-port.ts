import { RPCHandler } from '@orpc/server/message-port'
import type { Port } from '../../contract/port.ts'
import type { AppContext } from '../app/app-context.ts'
import { router } from '../app/router.ts'

/**
 * Serves the contract on a port until it is closed; calls that are open then are aborted.
 * `onFault` is told of a message that is none of the protocol's. It must not be let through: the peer's listener is
 * asynchronous, and a rejection that nobody handles would end the host.
 */
export function servePort(port: Port, context: AppContext, onFault: (fault: unknown) => void): void {
  const guarded: Port = {
    postMessage: (message) => {
      port.postMessage(message)
    },
    onMessage: {
      addListener(listener) {
        port.onMessage.addListener((message) => {
          Promise.resolve(listener(message)).catch(onFault)
        })
      },
    },
    onDisconnect: port.onDisconnect,
  }
  new RPCHandler(router).upgrade(guarded, { context })
}
