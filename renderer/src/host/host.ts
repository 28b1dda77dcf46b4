import type { HostBridge, HostCommand } from '../../../contract/host-bridge.ts'
import type { Client } from '../client.ts'

/** Who serves this page, and what it can do beyond the contract. */
export interface Host {
  readonly kind: 'electron' | 'browser'
  /** Asks for a project with the system's dialog; null when nothing was chosen. Absent in a browser, which cannot tell paths. */
  chooseProject?(): Promise<string | null>
  /** Calls `listener` for every command of the host's menu. A browser has none. */
  onCommand(listener: (command: HostCommand) => void): void
}

export interface HostConnection {
  client: Client
  host: Host
}

declare global {
  interface Window {
    /** Present only in the desktop window. */
    host?: HostBridge
  }
}
