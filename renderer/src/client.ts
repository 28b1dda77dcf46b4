import type { ContractRouterClient } from '@orpc/contract'
import { inject, type InjectionKey } from 'vue'
import type { contract } from '../../contract/api.ts'
import type { Host } from './host/host.ts'

/** The application as the renderer sees it: the procedures of the contract, whoever hosts them. */
export type Client = ContractRouterClient<typeof contract>

export const clientKey: InjectionKey<Client> = Symbol('client')

/** The client that the application was mounted with. Stores and components ask for it; nobody else makes one. */
export function useClient(): Client {
  const client = inject(clientKey)
  if (!client) throw new Error('The renderer was mounted without a client.')
  return client
}

export const hostKey: InjectionKey<Host> = Symbol('host')

/** Who serves the page, for what lies beyond the contract: a file dialog, a menu. */
export function useHost(): Host {
  const host = inject(hostKey)
  if (!host) throw new Error('The renderer was mounted without a host.')
  return host
}
