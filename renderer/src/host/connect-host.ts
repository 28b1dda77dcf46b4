import { connectBrowser } from './browser-host.ts'
import { connectElectron } from './electron-host.ts'
import type { HostConnection } from './host.ts'

/** Connects the page to whoever serves it: the desktop window's main process, or the server that the page came from. */
export function connectHost(): HostConnection {
  return window.host ? connectElectron(window.host) : connectBrowser(new URL('rpc', location.href))
}
