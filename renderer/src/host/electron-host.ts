import { createORPCClient } from '@orpc/client'
import { RPCLink } from '@orpc/client/message-port'
import type { HostBridge } from '../../../contract/host-bridge.ts'
import { makePort } from '../../../contract/port.ts'
import type { Client } from '../client.ts'
import type { HostConnection } from './host.ts'

/** The contract over the preload's bridge. The main process lives as long as the page, so there is nothing to reconnect. */
export function connectElectron(bridge: HostBridge): HostConnection {
  const { port, deliver } = makePort((message) => {
    bridge.post(message)
  })
  bridge.onMessage(deliver)
  bridge.connect()
  return {
    client: createORPCClient<Client>(new RPCLink({ port })),
    host: {
      kind: 'electron',
      chooseProject: () => bridge.chooseProject(),
      onCommand: (listener) => {
        bridge.onCommand(listener)
      },
    },
  }
}
