import type { Argument, BridgeMessage, Exposed } from './bridge-messages.ts'

/**
 * The page's own world: it sees only frozen stand-ins for what the preload exposed. Its source is put into Chromium, so
 * it stands alone.
 */
export function mainWorld(eventName: string): void {
  const callbacks: ((...values: unknown[]) => unknown)[] = []
  const open = new Map<number, PromiseWithResolvers<unknown>>()
  let lastCall = 0
  const latest: { outcome?: Extract<BridgeMessage, { type: 'returned' }>['outcome'] } = {}
  const answered = (): (typeof latest)['outcome'] => latest.outcome
  const tell = (detail: BridgeMessage): void => void dispatchEvent(new CustomEvent(eventName, { detail }))

  const argument = (value: unknown): Argument =>
    typeof value === 'function' ? { callback: callbacks.push(value as (...values: unknown[]) => unknown) - 1 } : { value }

  const call = (fn: number, values: unknown[]): unknown => {
    const number = ++lastCall
    delete latest.outcome
    tell({ type: 'call', fn, call: number, values: values.map(argument) })
    // Events are delivered at once, so the answer is here.
    const outcome = answered()
    if (!outcome) throw new Error('The isolated world did not answer.')
    if ('thrown' in outcome) throw new Error(outcome.thrown)
    if ('value' in outcome) return outcome.value
    const promise = Promise.withResolvers<unknown>()
    open.set(number, promise)
    return promise.promise
  }

  const build = (exposed: Exposed): unknown => {
    if ('fn' in exposed) return (...values: unknown[]) => call(exposed.fn, values)
    if ('list' in exposed) return Object.freeze(exposed.list.map(build))
    if ('object' in exposed) return Object.freeze(Object.fromEntries(exposed.object.map(([key, item]) => [key, build(item)])))
    return exposed.value
  }

  const expose = (key: string, api: Exposed): void => {
    if (key in window) throw new Error(`Cannot bind an API on top of an existing property on the window object`)
    Object.defineProperty(window, key, { value: build(api), enumerable: true })
  }

  const settle = (number: number, outcome: { value: unknown } | { thrown: string }): void => {
    const promise = open.get(number)
    open.delete(number)
    if ('thrown' in outcome) promise?.reject(new Error(outcome.thrown))
    else promise?.resolve(outcome.value)
  }

  addEventListener(eventName, (event) => {
    const message = (event as CustomEvent<BridgeMessage>).detail
    if (message.type === 'expose') expose(message.key, message.api)
    else if (message.type === 'returned') latest.outcome = message.outcome
    else if (message.type === 'settled') settle(message.call, message.outcome)
    else if (message.type === 'callback') callbacks[message.callback]?.(...message.values)
  })
}
