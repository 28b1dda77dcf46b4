import { protocol } from 'electron'
import { pageFile } from '../core/page/page-file.ts'
import { pageHeaders } from '../core/page/page-policy.ts'

const scheme = 'app'
const host = 'hinm'

/** The one document that the window shows. */
export const pageUrl = `${scheme}://${host}/index.html`

/** Is this the address of our page, whatever place in it? */
export function isPageUrl(address: string): boolean {
  const url = URL.parse(address)
  return url?.protocol === `${scheme}:` && url.host === host && url.pathname === '/index.html'
}

/** Must run before the application is ready. */
export function registerPageScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } }])
}

/** Serves the files of the page under its own scheme; everything else is not found. */
export function servePage(folder: string): void {
  protocol.handle(scheme, async (request) => {
    const url = new URL(request.url)
    const file = request.method === 'GET' && url.host === host ? await pageFile(folder, url.pathname) : null
    if (!file) return new Response('There is no such page.', { status: 404, headers: { ...pageHeaders, 'content-type': 'text/plain; charset=utf-8' } })
    return new Response(new Uint8Array(file.content), { headers: { ...pageHeaders, 'content-type': file.type } })
  })
}
