import type { WebContents } from 'electron'
import { makePort, type PortEnds } from '../contract/port.ts'
import type { AppContext } from '../core/app/app-context.ts'
import { servePort } from '../core/rpc/serve-port.ts'
import { channels } from './channels.ts'
import { onTrusted } from './trusted-ipc.ts'

/** Serves the contract to every window; a page that was loaded again begins a new conversation. */
export function serveWindows(context: AppContext): void {
  const conversations = new Map<WebContents, PortEnds>()
  const end = (contents: WebContents): void => {
    conversations.get(contents)?.close()
    conversations.delete(contents)
  }
  onTrusted(channels.connect, ({ sender }) => {
    const known = conversations.has(sender)
    end(sender)
    const ends = makePort((message) => {
      if (!sender.isDestroyed()) sender.send(channels.message, message)
    })
    conversations.set(sender, ends)
    servePort(ends.port, context, (fault) => {
      context.report(fault)
    })
    if (!known)
      sender.once('destroyed', () => {
        end(sender)
      })
  })
  onTrusted(channels.message, ({ sender }, message) => {
    conversations.get(sender)?.deliver(message)
  })
}
