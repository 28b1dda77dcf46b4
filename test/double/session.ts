import { browser } from './chromium.ts'
import { strict } from './strict.ts'

type Decide = (granted: boolean) => void
type RequestHandler = (contents: unknown, permission: string, decide: Decide, details: { requestingUrl: string; isMainFrame: boolean }) => void
type CheckHandler = (contents: unknown, permission: string, requestingOrigin: string, details: object) => boolean

/** Electron's name of a permission → Chromium's. */
const permissions = {
  geolocation: ['geolocation'],
  notifications: ['notifications'],
  media: ['camera', 'microphone'],
  midi: ['midi'],
  'clipboard-read': ['clipboard-read'],
  'clipboard-sanitized-write': ['clipboard-write'],
} as const

/** Without handlers Electron grants everything, and so does the double. */
let mayAsk: RequestHandler = (_contents, _permission, decide) => {
  decide(true)
}
let mayUse: CheckHandler = () => true

/** Stands for Electron's default session. Its permission handlers are asked in advance, and Chromium is told the answers. */
export const defaultSession = strict('session', {
  setPermissionRequestHandler(handler: RequestHandler) {
    mayAsk = handler
  },
  setPermissionCheckHandler(handler: CheckHandler) {
    mayUse = handler
  },
  /** No devices are emulated, so there is nothing to refuse. */
  setDevicePermissionHandler: () => undefined,
  /** Of the double itself: what a page at this address may do from now on. */
  async settlePermissions(contents: unknown, url: string, origin: string): Promise<void> {
    for (const [permission, names] of Object.entries(permissions)) {
      const setting = (await granted(contents, permission, url)) ? 'granted' : 'denied'
      for (const name of names) await browser().send('Browser.setPermission', { permission: { name }, setting, origin })
    }
  },
})

async function granted(contents: unknown, permission: string, url: string): Promise<boolean> {
  const details = { requestingUrl: url, isMainFrame: true }
  const asked = new Promise<boolean>((decide) => {
    mayAsk(contents, permission, decide, details)
  })
  return (await asked) && mayUse(contents, permission, new URL(url).origin, details)
}

export const session = strict('session module', { defaultSession })
