import { readFile, realpath } from 'node:fs/promises'
import { extname, isAbsolute, join, relative, sep } from 'node:path'

export interface PageFile {
  /** MIME type with character set. */
  type: string
  content: Buffer
}

/** What the page is made of. A file of any other kind is not served. */
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/**
 * The file of the page that the path of a URL names, or null where there is none.
 * The path stays inside `folder`, also when it is encoded, and also when a link in the folder leads out of it.
 */
export async function pageFile(folder: string, path: string): Promise<PageFile | null> {
  const name = decoded(path === '/' ? '/index.html' : path)
  if (name === null) return null
  const type = types[extname(name)]
  if (type === undefined) return null
  try {
    const root = await realpath(folder)
    const file = await realpath(join(root, name))
    return isInside(root, file) ? { type, content: await readFile(file) } : null
  } catch {
    return null
  }
}

/** The decoded path with plain segments only; null where it holds anything that could mean another folder. */
function decoded(path: string): string | null {
  let name: string
  try {
    name = decodeURIComponent(path)
  } catch {
    return null
  }
  const segments = name.split('/')
  return /[\\\0:]/.test(name) || segments.includes('..') || segments.includes('.') ? null : name
}

function isInside(root: string, file: string): boolean {
  const way = relative(root, file)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
