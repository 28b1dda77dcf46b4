import type { Argument, BridgeMessage, Exposed, FromMain, ToMain } from './bridge-messages.ts'
import type { Codec } from './codec.ts'

export interface PreloadSetting {
  eventName: string
  platform: string
  versions: Record<string, string | undefined>
}

type Listener = (event: unknown, ...values: unknown[]) => void
type Preload = (require: (name: string) => unknown, module: { exports: unknown }, exports: unknown, process: unknown) => void

/**
 * The isolated world of a sandboxed preload: its `require`, ipcRenderer and contextBridge, and nothing else. Its source
 * is put into Chromium, so it stands alone.
 */
export function preloadWorld(preload: Preload, makeCodec: () => Codec, { eventName, platform, versions }: PreloadSetting): void {
  // Electron runs a preload in the main frame only, unless it is told otherwise.
  if (window.top !== window) return
  const page = globalThis as unknown as { __toMain: (text: string) => void; __fromMain: (text: string) => void }
  const codec = makeCodec()
  const listeners = new Map<string, Listener[]>()
  const open = new Map<number, PromiseWithResolvers<unknown>>()
  const functions: ((...values: unknown[]) => unknown)[] = []
  let lastId = 0
  const toMain = (message: ToMain): void => {
    page.__toMain(codec.encode(message))
  }
  const tell = (detail: BridgeMessage): void => void dispatchEvent(new CustomEvent(eventName, { detail }))
  const strict = <T extends object>(name: string, object: T): T =>
    new Proxy(object, {
      get(target, key, receiver): unknown {
        if (typeof key === 'string' && key !== 'then' && !(key in target)) throw new Error(`Electron double: ${name}.${key} is not emulated.`)
        return Reflect.get(target, key, receiver)
      },
    })

  const ipcRenderer = strict('ipcRenderer', {
    send: (channel: string, ...values: unknown[]) => {
      toMain({ type: 'send', channel, values })
    },
    invoke: (channel: string, ...values: unknown[]) => {
      const promise = Promise.withResolvers<unknown>()
      open.set(++lastId, promise)
      toMain({ type: 'invoke', id: lastId, channel, values })
      return promise.promise
    },
    on: (channel: string, listener: Listener) => {
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener])
      return ipcRenderer
    },
  })

  page.__fromMain = (text) => {
    const message = codec.decode(text) as FromMain
    if (message.type === 'event') {
      for (const listener of listeners.get(message.channel) ?? []) listener({ sender: ipcRenderer }, ...message.values)
      return
    }
    const promise = open.get(message.id)
    open.delete(message.id)
    if (message.type === 'answer') promise?.resolve(message.value)
    else promise?.reject(new Error(message.text))
  }

  const pack = (value: unknown): Exposed => {
    if (typeof value === 'function') return { fn: functions.push(value as (...values: unknown[]) => unknown) - 1 }
    if (Array.isArray(value)) return { list: value.map(pack) }
    if (value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype)
      return { object: Object.entries(value).map(([key, item]) => [key, pack(item)]) }
    return { value }
  }
  const unpack = (argument: Argument): unknown => {
    if ('value' in argument) return argument.value
    return (...values: unknown[]) => {
      tell({ type: 'callback', callback: argument.callback, values })
    }
  }
  const words = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))

  const answer = ({ fn, call, values }: Extract<BridgeMessage, { type: 'call' }>): void => {
    try {
      const result = functions[fn]!(...values.map(unpack))
      if (!(result instanceof Promise)) {
        tell({ type: 'returned', outcome: { value: result } })
        return
      }
      tell({ type: 'returned', outcome: { promised: true } })
      result.then(
        (value: unknown) => {
          tell({ type: 'settled', call, outcome: { value } })
        },
        (thrown: unknown) => {
          tell({ type: 'settled', call, outcome: { thrown: words(thrown) } })
        },
      )
    } catch (thrown) {
      tell({ type: 'returned', outcome: { thrown: words(thrown) } })
    }
  }
  addEventListener(eventName, (event) => {
    const message = (event as CustomEvent<BridgeMessage>).detail
    if (message.type === 'call') answer(message)
  })

  const contextBridge = strict('contextBridge', {
    exposeInMainWorld: (key: string, api: unknown) => {
      tell({ type: 'expose', key, api: pack(api) })
    },
  })
  const require = (name: string): unknown => {
    if (name === 'electron' || name === 'electron/renderer') return strict('electron in a preload', { ipcRenderer, contextBridge })
    throw new Error(`module not found: ${name}`)
  }
  const module = { exports: {} }
  preload(require, module, module.exports, { platform, versions, env: {}, sandboxed: true, contextIsolated: true, type: 'renderer' })
}
