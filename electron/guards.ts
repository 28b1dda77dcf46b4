import { app, type Session, type WebContents } from 'electron'
import { isPageUrl } from './page-scheme.ts'

/** The page may write to the clipboard after a click; it needs nothing else. */
const allowedPermission = 'clipboard-sanitized-write'

/** No window, frame or web view goes anywhere but to our page, nothing opens another window, and no permission is given. */
export function guardEverything(session: Session): void {
  app.on('web-contents-created', (_event, contents) => {
    guardContents(contents)
  })
  session.setPermissionRequestHandler((_contents, permission, decide, details) => {
    decide(permission === allowedPermission && isPageUrl(details.requestingUrl))
  })
  session.setPermissionCheckHandler((contents, permission) => permission === allowedPermission && contents !== null && isPageUrl(contents.getURL()))
  session.setDevicePermissionHandler(() => false)
}

function guardContents(contents: WebContents): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  contents.on('will-attach-webview', (event) => {
    event.preventDefault()
  })
  contents.on('will-frame-navigate', (event) => {
    if (!isPageUrl(event.url)) event.preventDefault()
  })
  contents.on('will-redirect', (event) => {
    if (!isPageUrl(event.url)) event.preventDefault()
  })
}
