import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pageFile } from './page-file.ts'

let place = ''
let folder = ''

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'hinm-page-'))
  folder = join(place, 'page')
  await mkdir(join(folder, 'assets'), { recursive: true })
  await mkdir(join(place, 'page-secrets'))
  await writeFile(join(folder, 'index.html'), '<!doctype html>')
  await writeFile(join(folder, 'assets', 'app.js'), 'export {}')
  await writeFile(join(folder, 'assets', 'app.js.map'), '{}')
  await writeFile(join(place, 'secret.html'), 'secret')
  await writeFile(join(place, 'page-secrets', 'index.html'), 'secret')
  await symlink(join(place, 'secret.html'), join(folder, 'link.html'))
  await symlink(place, join(folder, 'up'))
})
afterAll(() => rm(place, { recursive: true }))

describe('pageFile', () => {
  it('serves the document at the root, and files by name with their types', async () => {
    expect((await pageFile(folder, '/'))?.content.toString()).toBe('<!doctype html>')
    expect(await pageFile(folder, '/assets/app.js')).toEqual({ type: 'text/javascript; charset=utf-8', content: Buffer.from('export {}') })
  })

  it.each([
    ['a parent folder', '/../secret.html'],
    ['a parent folder in the middle', '/assets/../../secret.html'],
    ['an encoded parent folder', '/%2e%2e/secret.html'],
    ['an encoded slash', '/..%2fsecret.html'],
    ['a backslash', '/..\\secret.html'],
    ['an encoded backslash', '/..%5csecret.html'],
    ['a sibling that begins alike', '/../page-secrets/index.html'],
    ['a link that leads out', '/link.html'],
    ['a folder link that leads out', '/up/secret.html'],
    ['a drive', '/C:/secret.html'],
    ['a zero byte', '/index.html%00.js'],
    ['a broken encoding', '/%E0%A4%A.html'],
    ['a folder', '/assets'],
    ['a kind of file that the page is not made of', '/assets/app.js.map'],
    ['nothing', ''],
  ])('finds nothing at %s', async (_what, path) => {
    expect(await pageFile(folder, path)).toBeNull()
  })

  it('would serve the secret if it lay inside, so that the cases above mean something', async () => {
    expect((await pageFile(place, '/secret.html'))?.content.toString()).toBe('secret')
  })
})
