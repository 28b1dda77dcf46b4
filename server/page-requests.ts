import type { IncomingMessage, ServerResponse } from 'node:http'
import { pageFile } from '../core/page/page-file.ts'
import { pageHeaders } from '../core/page/page-policy.ts'
import type { Access } from './access.ts'
import { isOwnHost } from './origin-check.ts'

const linkHint = 'Open the link that the server printed when it was started.\n'

/** Answers HTTP: the link's token becomes a cookie, and with the cookie the files of the page can be read. Nothing is written over HTTP. */
export function pageRequests(access: Access, folder: string): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    for (const [name, value] of Object.entries(pageHeaders)) response.setHeader(name, value)
    if (!isOwnHost(request.headers.host)) {
      answer(response, 421, 'This server answers only to 127.0.0.1 and localhost.\n')
      return
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD')
      answer(response, 405, 'This server is only read over HTTP.\n')
      return
    }
    const url = URL.parse(request.url ?? '/', 'http://localhost')
    const token = url?.searchParams.get('token')
    if (typeof token === 'string') exchange(access, token, response)
    else if (!access.admits(request.headers.cookie)) answer(response, 401, linkHint)
    else await sendFile(folder, url?.pathname ?? '/', response)
  }
}

function exchange(access: Access, token: string, response: ServerResponse): void {
  const outcome = access.offer(token)
  if (outcome === 'granted') response.writeHead(303, { location: '/', 'set-cookie': access.setCookie }).end()
  else if (outcome === 'refused') answer(response, 401, linkHint)
  else answer(response, 429, 'Too many wrong tokens; wait a minute.\n')
}

async function sendFile(folder: string, path: string, response: ServerResponse): Promise<void> {
  const file = await pageFile(folder, path)
  if (file) response.writeHead(200, { 'content-type': file.type, 'content-length': file.content.length }).end(file.content)
  else answer(response, 404, 'There is no such page.\n')
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text)
}
