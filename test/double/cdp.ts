import type { CDPSession } from '@playwright/test'

interface Waiting {
  method: string
  resolve: (result: unknown) => void
  reject: (error: Error) => void
}

interface Incoming {
  id?: number
  method?: string
  params?: unknown
  sessionId?: string
  result?: unknown
  error?: { message: string }
}

/** One conversation with Chromium, with the browser itself or with one page. */
export interface Cdp {
  send: CDPSession['send']
  on: CDPSession['on']
}

/** Chromium's debugging protocol over one WebSocket; every page has a session of its own in it. */
export class CdpConnection {
  private readonly socket: WebSocket
  private readonly waiting = new Map<number, Waiting>()
  private readonly listeners = new Map<string, Map<string, ((params: unknown) => void)[]>>()
  private lastId = 0

  private constructor(socket: WebSocket) {
    this.socket = socket
    socket.onmessage = ({ data }) => {
      this.receive(JSON.parse(String(data)) as Incoming)
    }
    socket.onclose = () => {
      for (const { method, reject } of this.waiting.values()) reject(new Error(`${method}: Chromium is gone`))
      this.waiting.clear()
    }
  }

  static async open(address: string): Promise<CdpConnection> {
    const socket = new WebSocket(address)
    await new Promise((resolve, reject) => {
      socket.onopen = resolve
      socket.onerror = () => {
        reject(new Error(`Chromium does not answer at ${address}`))
      }
    })
    return new CdpConnection(socket)
  }

  /** The browser's own session without an id, a page's with the id that attaching to it gave. */
  session(sessionId?: string): Cdp {
    const key = sessionId ?? ''
    const listeners = this.listeners.get(key) ?? new Map<string, ((params: unknown) => void)[]>()
    this.listeners.set(key, listeners)
    const send = (method: string, params: unknown = {}): Promise<unknown> => {
      const id = ++this.lastId
      return new Promise((resolve, reject) => {
        this.waiting.set(id, { method, resolve, reject })
        this.socket.send(JSON.stringify({ id, method, params, sessionId }))
      })
    }
    const on = (event: string, listener: (params: unknown) => void): void => {
      listeners.set(event, [...(listeners.get(event) ?? []), listener])
    }
    return { send: send as CDPSession['send'], on: on as unknown as CDPSession['on'] }
  }

  private receive({ id, method, params, sessionId, result, error }: Incoming): void {
    if (id === undefined) {
      for (const listener of this.listeners.get(sessionId ?? '')?.get(method ?? '') ?? []) listener(params)
      return
    }
    const waiting = this.waiting.get(id)
    this.waiting.delete(id)
    if (error) waiting?.reject(new Error(`${waiting.method}: ${error.message}`))
    else waiting?.resolve(result)
  }
}
