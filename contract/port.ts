/** One shape for every two-way channel that carries the contract: messages between window and main process, or a test's own. */
export interface Port {
  postMessage(message: unknown): void
  readonly onMessage: { addListener(listener: (message: unknown) => void): void }
  readonly onDisconnect: { addListener(listener: () => void): void }
}

/** A port and the other end of it, held by whoever moves the messages. */
export interface PortEnds {
  port: Port
  /** Hands a message that arrived to the port's listeners, or keeps it until there is one. */
  deliver: (message: unknown) => void
  /** Tells the port, once, that nothing more will come. */
  close: () => void
}

/** Makes a port that sends with `send`. */
export function makePort(send: (message: unknown) => void): PortEnds {
  const listeners: ((message: unknown) => void)[] = []
  const closers: (() => void)[] = []
  const early: unknown[] = []
  return {
    port: {
      postMessage: send,
      onMessage: {
        addListener(listener) {
          listeners.push(listener)
          for (const message of early.splice(0)) listener(message)
        },
      },
      onDisconnect: {
        addListener(listener) {
          closers.push(listener)
        },
      },
    },
    deliver(message) {
      if (listeners.length === 0) early.push(message)
      for (const listener of listeners) listener(message)
    },
    close() {
      for (const closer of closers.splice(0)) closer()
    },
  }
}
