/** A value of an exposed object: data, a function of the isolated world by number, or a collection of such. */
export type Exposed = { value: unknown } | { fn: number } | { list: Exposed[] } | { object: [string, Exposed][] }

/** An argument of a call from the page: data, or a function of the page by number. */
export type Argument = { value: unknown } | { callback: number }

/** What the two worlds of a page tell each other through events. */
export type BridgeMessage =
  | { type: 'expose'; key: string; api: Exposed }
  | { type: 'call'; fn: number; call: number; values: Argument[] }
  | { type: 'returned'; outcome: { value: unknown } | { promised: true } | { thrown: string } }
  | { type: 'settled'; call: number; outcome: { value: unknown } | { thrown: string } }
  | { type: 'callback'; callback: number; values: unknown[] }

export const bridgeEvent = '__electron_double'

/** Messages between a page and the main process. */
export type ToMain = { type: 'send'; channel: string; values: unknown[] } | { type: 'invoke'; id: number; channel: string; values: unknown[] }
export type FromMain =
  { type: 'event'; channel: string; values: unknown[] } | { type: 'answer'; id: number; value: unknown } | { type: 'refusal'; id: number; text: string }
