import { app, BrowserWindow, dialog, session } from 'electron'
import { join } from 'node:path'
import { failureOf } from '../contract/error.ts'
import { createApp, type App } from '../core/app/app-context.ts'
import { hinmHome } from '../core/app/home.ts'
import { pageFolder } from '../core/page/page-folder.ts'
import { channels } from './channels.ts'
import { chooseProject } from './choose-project.ts'
import { guardEverything } from './guards.ts'
import { sendCommand, setMenu } from './menu.ts'
import { registerPageScheme, servePage } from './page-scheme.ts'
import { projectArgument } from './project-argument.ts'
import { serveWindows } from './serve-windows.ts'
import { spawnUtility } from './spawn-engine.ts'
import { handleTrusted } from './trusted-ipc.ts'
import { openWindow } from './window.ts'

const here = import.meta.dirname
const home = hinmHome()

registerPageScheme()
// Beside the history, so that a home of its own is also an application of its own: the single-instance lock lies in it.
app.setPath('userData', join(home, 'window'))

if (app.requestSingleInstanceLock()) {
  let asked = projectArgument(process.argv, app.isPackaged, process.cwd())
  // A Mac tells the file that was opened this way, possibly before the application is ready.
  app.on('open-file', (event, path) => {
    event.preventDefault()
    if (app.isReady()) showWindow(path)
    else asked = path
  })
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  await app.whenReady()
  start(asked)
} else {
  app.quit()
}

function start(project: string | null): void {
  const bench = open()
  if (!bench) return
  closeBeforeQuit(bench)
  guardEverything(session.defaultSession)
  servePage(pageFolder(here, false))
  serveWindows(bench.context)
  handleTrusted(channels.chooseProject, ({ sender }) => {
    const window = BrowserWindow.fromWebContents(sender)
    return window ? chooseProject(window) : null
  })
  setMenu()
  showWindow(project)
  app.on('second-instance', (_event, commandLine, folder) => {
    showWindow(projectArgument(commandLine, app.isPackaged, folder))
  })
  app.on('activate', () => {
    showWindow(null)
  })
}

/** The application, or undefined after its failure to open was told in words. */
function open(): App | undefined {
  try {
    return createApp({ host: 'electron', home, spawnEngine: spawnUtility(join(here, 'engine.js')), version: app.getVersion() })
  } catch (thrown) {
    dialog.showErrorBox('HiNM Bench cannot start', failureOf(thrown).message)
    app.exit(1)
    return undefined
  }
}

/** A run that goes on is stopped so that it can be resumed, and the history is closed, before the process ends. */
function closeBeforeQuit(bench: App): void {
  let closed = false
  app.on('will-quit', (event) => {
    if (closed) return
    event.preventDefault()
    void bench
      .close()
      .catch((thrown: unknown) => {
        console.error(thrown)
      })
      .finally(() => {
        closed = true
        app.quit()
      })
  })
}

/** Brings the window to the front, or opens it, with the project that was asked for. */
function showWindow(project: string | null): void {
  const command = { type: 'open-project', path: project ?? '' } as const
  const [known] = BrowserWindow.getAllWindows()
  if (known) {
    if (known.isMinimized()) known.restore()
    known.focus()
    if (project !== null) sendCommand(known, command)
    return
  }
  const window = openWindow(here)
  if (project !== null)
    window.webContents.once('did-finish-load', () => {
      sendCommand(window, command)
    })
}
