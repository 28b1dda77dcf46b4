import { strict } from './strict.ts'

type Handler = (request: Request) => Response | Promise<Response>

const handlers = new Map<string, Handler>()
const privileged = new Set<string>()

/** Stands for Electron's `protocol`. */
export const protocol = strict('protocol', {
  registerSchemesAsPrivileged(schemes: { scheme: string; privileges?: Electron.Privileges }[]) {
    for (const { scheme, privileges } of schemes) if (privileges?.standard && privileges.secure) privileged.add(scheme)
  },
  handle(scheme: string, handler: Handler) {
    if (!privileged.has(scheme)) throw new Error(`Electron double: only standard, secure schemes are emulated, and "${scheme}" was not registered as one.`)
    handlers.set(scheme, handler)
  },
  isProtocolHandled: (scheme: string) => handlers.has(scheme),
} satisfies Partial<Record<keyof Electron.Protocol, unknown>>)

export const handlerOf = (address: string): Handler | undefined => handlers.get(address.split(':')[0] ?? '')
export const handledSchemes = (): string[] => [...handlers.keys()]

/** Chromium knows no scheme of ours: app://host/… is shown to it as http://app--host.localhost/…, which is as secure an origin. */
export function toChromium(address: string): string {
  const [, scheme, host, rest] = /^([a-z-]+):\/\/([^/]*)(.*)$/.exec(address) ?? []
  return scheme !== undefined && handlers.has(scheme) ? `http://${scheme}--${host}.localhost${rest}` : address
}

export function fromChromium(address: string): string {
  return address.replace(/^http:\/\/([a-z]+)--([^/]*?)\.localhost/, '$1://$2')
}
