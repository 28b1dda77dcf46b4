import { BrowserWindow, nativeTheme } from 'electron'
import { join } from 'node:path'
import { pageBackground } from './page-background.ts'
import { pageUrl } from './page-scheme.ts'

/** Opens the window on our page: isolated, sandboxed, with no way to Node but the preload's bridge. */
export function openWindow(folder: string): BrowserWindow {
  const window = new BrowserWindow({
    width: 1280,
    height: 800,
    minWidth: 960,
    minHeight: 600,
    show: false,
    title: 'HiNM Bench',
    backgroundColor: nativeTheme.shouldUseDarkColors ? pageBackground.dark : pageBackground.light,
    webPreferences: {
      preload: join(folder, 'preload.cjs'),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
    },
  })
  window.once('ready-to-show', () => {
    window.show()
  })
  // A failed load is shown by Chromium itself; the promise would only repeat it as an unhandled rejection.
  window.loadURL(pageUrl).catch((thrown: unknown) => {
    console.error(thrown)
  })
  return window
}
