import { ipcMain, type IpcMainEvent, type IpcMainInvokeEvent } from 'electron'
import { isPageUrl } from './page-scheme.ts'

/** Only the main frame of our own page may speak to the main process: no other page, and no frame inside it. */
function isTrusted({ senderFrame, sender }: IpcMainEvent | IpcMainInvokeEvent): boolean {
  return senderFrame !== null && senderFrame === sender.mainFrame && isPageUrl(senderFrame.url)
}

const refusal = (channel: string, event: IpcMainEvent | IpcMainInvokeEvent): string =>
  `A message on "${channel}" came from "${event.senderFrame?.url ?? 'a frame that is gone'}", which is not the application's page; it was dropped.`

/** Listens to a channel; a message from anywhere but our page is dropped and reported. */
export function onTrusted(channel: string, listener: (event: IpcMainEvent, ...values: unknown[]) => void): void {
  ipcMain.on(channel, (event, ...values: unknown[]) => {
    if (isTrusted(event)) listener(event, ...values)
    else console.error(refusal(channel, event))
  })
}

/** Answers a channel; a call from anywhere but our page is refused. */
export function handleTrusted(channel: string, answer: (event: IpcMainInvokeEvent, ...values: unknown[]) => unknown): void {
  ipcMain.handle(channel, (event, ...values: unknown[]) => {
    if (!isTrusted(event)) throw new Error(refusal(channel, event))
    return answer(event, ...values)
  })
}
