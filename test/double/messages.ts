import { EventEmitter } from 'node:events'
import { strict } from './strict.ts'

type Answer = (event: unknown, ...values: unknown[]) => unknown

const answers = new Map<string, Answer>()

/** Stands for Electron's `ipcMain`. */
export const ipcMain = strict(
  'ipcMain',
  Object.assign(new EventEmitter(), {
    handle(channel: string, answer: Answer) {
      if (answers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`)
      answers.set(channel, answer)
    },
    removeHandler: (channel: string) => void answers.delete(channel),
  } satisfies Partial<Record<keyof Electron.IpcMain, unknown>>),
)

/** What a page's `invoke` is answered with. @throws what the handler throws, or that there is none. */
export async function invoke(channel: string, event: unknown, values: readonly unknown[]): Promise<unknown> {
  const answer = answers.get(channel)
  if (!answer) throw new Error(`No handler registered for '${channel}'`)
  return await answer(event, ...values)
}

/** A `send` that nobody listens to would pass unseen in Electron; here it is a mistake in a channel's name. */
export function deliver(channel: string, event: unknown, values: readonly unknown[]): void {
  if (!ipcMain.emit(channel, event, ...values)) throw new Error(`Electron double: nobody listens to the channel "${channel}".`)
}
