import { allWindowsClosed, app, onQuit } from './application.ts'
import { browser } from './chromium.ts'
import { DoubleContents } from './contents.ts'
import { KnownEmitter } from './emitter.ts'
import { strict } from './strict.ts'

const open = new Map<number, DoubleWindow>()
const events = ['ready-to-show', 'show', 'close', 'closed', 'focus']

/** Stands for Electron's BrowserWindow: a page of Chromium with what a window manager would know of it. */
class DoubleWindow extends KnownEmitter {
  readonly id: number
  readonly webContents: DoubleContents
  private visible: boolean
  private minimized = false
  private readonly title: string
  private readonly background: string
  private size: [number, number]

  constructor(options: Electron.BrowserWindowConstructorOptions = {}) {
    super('BrowserWindow', events)
    const { width = 800, height = 600, show = true, title = '', backgroundColor = '#ffffff', webPreferences = {} } = options
    const contents = new DoubleContents({ width, height, preferences: webPreferences })
    this.webContents = strict('webContents', contents)
    contents.outside = this.webContents
    this.id = contents.id
    this.visible = show
    this.title = title
    this.background = backgroundColor
    this.size = [width, height]
    contents.once('did-finish-load', () => this.emit('ready-to-show'))
    contents.once('destroyed', () => {
      open.delete(this.id)
      this.emit('closed')
      if (open.size === 0) allWindowsClosed()
    })
  }

  static getAllWindows(): DoubleWindow[] {
    return [...open.values()]
  }

  static fromWebContents(contents: DoubleContents): DoubleWindow | null {
    return open.get(contents.id) ?? null
  }

  static getFocusedWindow(): DoubleWindow | null {
    return DoubleWindow.getAllWindows()[0] ?? null
  }

  loadURL(url: string): Promise<void> {
    return this.webContents.loadURL(url)
  }

  show(): void {
    this.visible = true
    this.emit('show')
  }

  isVisible(): boolean {
    return this.visible
  }

  focus(): void {
    this.emit('focus')
  }

  minimize(): void {
    this.minimized = true
  }

  restore(): void {
    this.minimized = false
  }

  isMinimized(): boolean {
    return this.minimized
  }

  getTitle(): string {
    return this.title
  }

  getBackgroundColor(): string {
    return this.background
  }

  /** Lays the page out for this size, as a window manager would by resizing the window. */
  setSize(width: number, height: number): void {
    this.size = [width, height]
    void this.webContents.layOut(width, height)
  }

  getSize(): [number, number] {
    return this.size
  }

  isDestroyed(): boolean {
    return this.webContents.isDestroyed()
  }

  close(): void {
    const event = { defaultPrevented: false, preventDefault: () => void (event.defaultPrevented = true) }
    this.emit('close', event)
    if (!event.defaultPrevented) this.destroy()
  }

  destroy(): void {
    this.webContents.close()
    this.webContents.gone()
  }
}

/** The class that applications see: its instances and statics are strict, and every instance is announced. */
export const BrowserWindow = strict(
  'BrowserWindow',
  new Proxy(DoubleWindow, {
    construct(target, values: [Electron.BrowserWindowConstructorOptions?]) {
      const window = strict('BrowserWindow', new target(...values))
      open.set(window.id, window)
      app.emit('web-contents-created', {}, window.webContents)
      return window
    },
  }),
)

/** Stands for Electron's `webContents`. */
export const webContents = strict('webContents module', {
  getAllWebContents: () => DoubleWindow.getAllWindows().map((window) => window.webContents),
  fromDevToolsTargetId: (targetId: string) => contentsOfTarget(targetId),
})

function contentsOfTarget(targetId: string | undefined): DoubleContents | undefined {
  return webContents.getAllWebContents().find((contents) => contents.targetId === targetId)
}

/** Chromium's own account of its pages: which are gone, and which were opened by another page. */
export function followTargets(): void {
  browser().on('Target.targetDestroyed', ({ targetId }) => {
    contentsOfTarget(targetId)?.gone()
  })
  browser().on('Target.targetCreated', ({ targetInfo }) => {
    if (targetInfo.type === 'page' && targetInfo.openerId !== undefined)
      contentsOfTarget(targetInfo.openerId)?.openedWindow(targetInfo.targetId, targetInfo.url)
  })
}

onQuit(() => {
  for (const window of DoubleWindow.getAllWindows()) window.close()
  return open.size === 0
})
