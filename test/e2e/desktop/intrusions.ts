import type { ElectronApplication, Page } from '@playwright/test'
import type { ElectronHost } from '../hosts/electron-host.ts'

/** What the main process holds to be the address of its window; the page's own account would differ on the double. */
export const windowAddress = (app: ElectronApplication): Promise<string> =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.webContents.getURL())

/** Lets the page try to go elsewhere. A document that was left takes its global along, and so does a page that is gone. */
export async function pageStays({ app, page }: ElectronHost, target: string): Promise<boolean> {
  const before = await windowAddress(app)
  await page.evaluate((address) => {
    Object.assign(globalThis, { stillHere: true })
    location.href = address
  }, target)
  const here = await settle(page)
    .then(() => page.evaluate(() => 'stillHere' in globalThis))
    .catch(() => false)
  return here && (await windowAddress(app)) === before
}

/** Lets the page try to open another window, by script and by a link. */
export async function opensNoWindow({ app, page }: ElectronHost): Promise<boolean> {
  await page.evaluate(() => {
    open('https://example.invalid/')
    const link = Object.assign(document.createElement('a'), { href: 'https://example.invalid/', target: '_blank' })
    document.body.append(link)
    link.click()
    link.remove()
  })
  await settle(page)
  const windows = await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)
  return windows === 1
}

/** The states of permissions, as Chromium tells them to the page. */
export const permissionStates = (page: Page): Promise<Record<string, string>> =>
  page.evaluate(async () => {
    const names = ['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read', 'clipboard-write']
    const states = await Promise.all(names.map(async (name) => (await navigator.permissions.query({ name: name as PermissionName })).state))
    return Object.fromEntries(names.map((name, index) => [name, states[index]!]))
  })

/** Sends to the main process as a frame would that is not ours. Returns what the process answered or did. */
export const messageFrom = (app: ElectronApplication, url: string, isMainFrame: boolean): Promise<number> =>
  app.evaluate(
    ({ ipcMain, BrowserWindow }, frame) => {
      const { webContents } = BrowserWindow.getAllWindows()[0]!
      let answers = 0
      const sender = { ...{ mainFrame: { url: frame.url } }, isDestroyed: () => false, once: () => undefined, send: () => answers++ }
      const senderFrame = frame.isMainFrame ? sender.mainFrame : { url: frame.url }
      ipcMain.emit('hinm:connect', { sender, senderFrame })
      ipcMain.emit('hinm:message', { sender, senderFrame }, JSON.stringify({ i: '1', p: { u: '/runs/list', b: {} } }))
      return new Promise<number>((resolve) => {
        // Long enough for an answer: the one to our own page comes in the same turn of the database.
        setTimeout(() => {
          resolve(webContents.isDestroyed() ? -1 : answers)
        }, 300)
      })
    },
    { url, isMainFrame },
  )

/** Time for a navigation or a window to come about. There is no event for what does not happen. */
async function settle(page: Page): Promise<void> {
  // eslint-disable-next-line playwright/no-wait-for-timeout -- waits for something not to happen
  await page.waitForTimeout(400)
}
