import * as v from 'valibot'

/** What a menu of the host asks the page to do. */
export const HostCommand = v.variant('type', [
  v.object({ type: v.literal('open-project'), path: v.string() }),
  v.object({ type: v.literal('start-run') }),
  v.object({ type: v.literal('cancel-run') }),
])
export type HostCommand = v.InferOutput<typeof HostCommand>

/** The whole of what a page in the desktop window may reach outside itself: `window.host`, put there by the preload. */
export interface HostBridge {
  readonly kind: 'electron'
  /** Begins a new conversation; messages of an earlier one are dropped. */
  readonly connect: () => void
  /** Sends one message of the conversation: text, or bytes. */
  readonly post: (message: unknown) => void
  readonly onMessage: (listener: (message: unknown) => void) => void
  /** Asks for a project with the system's dialog; null when nothing was chosen. */
  readonly chooseProject: () => Promise<string | null>
  readonly onCommand: (listener: (command: HostCommand) => void) => void
}
