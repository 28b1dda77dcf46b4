import { readFileSync } from 'node:fs'
import { browser, pageSession } from './chromium.ts'
import type { Cdp } from './cdp.ts'
import { KnownEmitter } from './emitter.ts'
import { deliver, invoke } from './messages.ts'
import { bridgeEvent, type FromMain, type ToMain } from './page/bridge-messages.ts'
import { makeCodec } from './page/codec.ts'
import { mainWorld } from './page/main-world.ts'
import { preloadWorld, type PreloadSetting } from './page/preload-world.ts'
import { fromChromium, handledSchemes, handlerOf, toChromium } from './schemes.ts'
import { notEmulated, strict } from './strict.ts'
import { defaultSession } from './session.ts'

const codec = makeCodec()
const preloadWorldName = 'electron double preload'

/** The last two cannot happen here, where there are no web views and our scheme never redirects; they may be listened to all the same. */
const events = [
  ...['did-finish-load', 'did-navigate', 'destroyed', 'render-process-gone', 'will-navigate', 'will-frame-navigate'],
  ...['will-redirect', 'will-attach-webview'],
]

export interface WindowOptions {
  width: number
  height: number
  preferences: Electron.WebPreferences
}

/** Electron's own, as its documentation gives them. */
const defaultPreferences: Electron.WebPreferences = {
  nodeIntegration: false,
  nodeIntegrationInSubFrames: false,
  contextIsolation: true,
  sandbox: true,
  webSecurity: true,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  webviewTag: false,
}

interface PausedRequest {
  requestId: string
  request: { url: string; method: string; headers: Record<string, string> }
  resourceType: string
  frameId: string
}

/** Stands for Electron's WebContents: a page of Chromium, driven over its debugging protocol. */
export class DoubleContents extends KnownEmitter {
  private static lastId = 0

  readonly id = ++DoubleContents.lastId
  readonly session = defaultSession
  readonly mainFrame: { readonly url: string; readonly origin: string }
  /** Settles when the page exists and can be driven. */
  readonly opened: Promise<void>
  /** What the application holds: this, made strict by whoever created it. */
  outside: DoubleContents = this
  targetId = ''
  private readonly options: WindowOptions
  private page: Cdp | undefined
  private preloadContext: string | undefined
  private preloadContextNumber: number | undefined
  private queued: FromMain[] = []
  private address = ''
  private loading: string | undefined
  private destroyed = false
  private openHandler: ((details: { url: string }) => { action: string }) | undefined

  constructor(options: WindowOptions) {
    super('WebContents', events)
    this.options = options
    const refused = refusedPreference(options.preferences)
    if (refused) throw notEmulated(refused)
    const url = (): string => this.address
    this.mainFrame = strict('WebFrameMain', {
      get url() {
        return url()
      },
      get origin() {
        return new URL(url()).origin
      },
    })
    this.opened = this.create()
  }

  getURL(): string {
    return this.address
  }

  /** What was asked for, on top of Electron's defaults. */
  getLastWebPreferences(): Electron.WebPreferences {
    return { ...defaultPreferences, ...this.options.preferences }
  }

  isDestroyed(): boolean {
    return this.destroyed
  }

  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.openHandler = handler
  }

  send(channel: string, ...values: unknown[]): void {
    if (this.destroyed) throw new TypeError('Object has been destroyed')
    this.push({ type: 'event', channel, values })
  }

  reload(): void {
    void this.command().then((page) => page.send('Page.reload'))
  }

  close(): void {
    closeTarget(this.targetId)
  }

  async loadURL(url: string): Promise<void> {
    const page = await this.command()
    const loaded = new Promise((resolve) => this.once('did-finish-load', resolve))
    this.loading = url
    const { errorText } = await page.send('Page.navigate', { url: toChromium(url) })
    if (errorText) throw new Error(`${errorText} (-6) loading '${url}'`)
    await loaded
    this.loading = undefined
  }

  async executeJavaScript(expression: string): Promise<unknown> {
    const page = await this.command()
    const { result, exceptionDetails } = await page.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true, userGesture: true })
    if (exceptionDetails) throw new Error(wordsOf(exceptionDetails))
    return result.value as unknown
  }

  async layOut(width: number, height: number): Promise<void> {
    const page = await this.command()
    await page.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false })
  }

  /** A window that the page opened by itself. The only answer that the double can give it is to deny it. */
  openedWindow(targetId: string, url: string): void {
    const action = this.openHandler?.({ url: fromChromium(url) }).action ?? 'allow'
    if (action !== 'deny') throw notEmulated(`a window that a page opens (${url})`)
    closeTarget(targetId)
  }

  /** The page is gone, whoever ended it. */
  gone(): void {
    if (this.destroyed) return
    this.destroyed = true
    this.emit('destroyed')
  }

  private async command(): Promise<Cdp> {
    await this.opened
    return this.page!
  }

  private async create(): Promise<void> {
    const { width, height, preferences } = this.options
    this.targetId = (await browser().send('Target.createTarget', { url: 'about:blank', newWindow: true, width, height })).targetId
    const { sessionId } = await browser().send('Target.attachToTarget', { targetId: this.targetId, flatten: true })
    const page = pageSession(sessionId)
    this.page = page
    this.listen(page)
    await Promise.all([
      page.send('Page.enable'),
      page.send('Runtime.enable'),
      page.send('Inspector.enable'),
      page.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false }),
      page.send('Page.addScriptToEvaluateOnNewDocument', { source: callOf(mainWorld, bridgeEvent) }),
      ...(preferences.preload === undefined ? [] : this.injectPreload(page, preferences.preload)),
    ])
    const ours = handledSchemes().map((scheme) => ({ urlPattern: `http://${scheme}--*` }))
    await page.send('Fetch.enable', { patterns: [...ours, { urlPattern: '*', resourceType: 'Document' }] })
  }

  private injectPreload(page: Cdp, file: string): Promise<unknown>[] {
    const setting: PreloadSetting = { eventName: bridgeEvent, platform: process.platform, versions: { ...process.versions } }
    const preload = `function (require, module, exports, process) {${readFileSync(file, 'utf8')}\n}`
    const source = `(${preloadWorld.toString()})(${preload}, ${makeCodec.toString()}, ${JSON.stringify(setting)})`
    return [
      page.send('Runtime.addBinding', { name: '__toMain', executionContextName: preloadWorldName }),
      page.send('Page.addScriptToEvaluateOnNewDocument', { source, worldName: preloadWorldName }),
    ]
  }

  private listen(page: Cdp): void {
    page.on('Runtime.executionContextCreated', ({ context }) => {
      const { frameId } = (context.auxData ?? {}) as { frameId?: string }
      if (context.name !== preloadWorldName || frameId !== this.targetId) return
      this.preloadContext = context.uniqueId
      this.preloadContextNumber = context.id
      for (const message of this.queued.splice(0)) this.push(message)
    })
    page.on('Runtime.exceptionThrown', ({ exceptionDetails }) => {
      if (exceptionDetails.executionContextId === this.preloadContextNumber) console.error(`Electron double: the preload threw: ${wordsOf(exceptionDetails)}`)
    })
    page.on('Runtime.bindingCalled', ({ name, payload }) => {
      if (name === '__toMain') void this.receive(codec.decode(payload) as ToMain)
    })
    page.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId !== undefined || frame.url === 'about:blank') return
      this.address = fromChromium(frame.url)
      this.emit('did-navigate', {}, this.address)
      // Pages of Chromium itself, such as the one for a failed load, have no origin that a permission could be given to.
      if (handlerOf(this.address)) void this.session.settlePermissions(this.outside, this.address, new URL(frame.url).origin)
    })
    page.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
      if (frameId === this.targetId) this.address = fromChromium(url)
    })
    page.on('Page.loadEventFired', () => {
      if (this.address !== '') this.emit('did-finish-load')
    })
    page.on('Inspector.targetCrashed', () => {
      this.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 })
    })
    page.on('Fetch.requestPaused', (paused) => {
      void this.answer(page, paused)
    })
  }

  /** A navigation is announced and may be refused; a request for a scheme of ours goes to its handler. */
  private async answer(page: Cdp, { requestId, request, resourceType, frameId }: PausedRequest): Promise<void> {
    const url = fromChromium(request.url)
    if (resourceType === 'Document' && url !== this.loading && !this.mayNavigate(url, frameId === this.targetId)) {
      await page.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' })
      return
    }
    const handler = handlerOf(url)
    if (!handler) {
      await page.send('Fetch.continueRequest', { requestId })
      return
    }
    const response = await handler(new Request(url, { method: request.method, headers: request.headers }))
    await page.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: response.status,
      responseHeaders: [...response.headers].map(([name, value]) => ({ name, value })),
      body: Buffer.from(await response.arrayBuffer()).toString('base64'),
    })
  }

  private mayNavigate(url: string, isMainFrame: boolean): boolean {
    let allowed = true
    const event = {
      url,
      isMainFrame,
      preventDefault: () => {
        allowed = false
      },
    }
    this.emit('will-frame-navigate', event)
    if (isMainFrame) this.emit('will-navigate', event, url)
    return allowed
  }

  private async receive(message: ToMain): Promise<void> {
    const event = { sender: this.outside, senderFrame: this.mainFrame, frameId: 1, processId: 1 }
    if (message.type === 'send') {
      deliver(message.channel, event, message.values)
      return
    }
    const { id, channel, values } = message
    try {
      this.push({ type: 'answer', id, value: await invoke(channel, event, values) })
    } catch (thrown) {
      this.push({ type: 'refusal', id, text: `Error invoking remote method '${channel}': ${String(thrown)}` })
    }
  }

  private push(message: FromMain): void {
    if (this.destroyed) return
    if (this.preloadContext === undefined) {
      this.queued.push(message)
      return
    }
    const expression = `__fromMain(${JSON.stringify(codec.encode(message))})`
    // The page may be on its way out; Electron drops such a message too.
    this.page?.send('Runtime.evaluate', { expression, uniqueContextId: this.preloadContext }).catch(() => undefined)
  }
}

/** When the application quits, Chromium may be gone before it can answer. */
function closeTarget(targetId: string): void {
  browser()
    .send('Target.closeTarget', { targetId })
    .catch(() => undefined)
}

/** Source text that calls a function in Chromium with one text. */
const callOf = (fn: (value: string) => void, value: string): string => `(${fn.toString()})(${JSON.stringify(value)})`

const wordsOf = ({ exception, text }: { exception?: { description?: string }; text: string }): string => exception?.description ?? text

function refusedPreference({ nodeIntegration, contextIsolation, sandbox, webSecurity }: Electron.WebPreferences): string | null {
  if (nodeIntegration === true) return 'nodeIntegration'
  if (contextIsolation === false) return 'a page without context isolation'
  if (sandbox === false) return 'a page without sandbox'
  return webSecurity === false ? 'a page without web security' : null
}
