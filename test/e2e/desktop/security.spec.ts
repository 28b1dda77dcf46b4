import { expect, test } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openElectronHost, type ElectronHost } from '../hosts/electron-host.ts'
import { root } from '../hosts/server-host.ts'
import { intrude, nothingRan } from '../script-intrusions.ts'
import { messageFrom, opensNoWindow, pageStays, permissionStates, windowAddress } from './intrusions.ts'

// One test for each item of Electron's security checklist that a running application can be asked about; the fuses and the
// version are checked where the package is.

let desktop: ElectronHost
let home: string

test.beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'hinm-security-'))
  desktop = await openElectronHost(home)
  await expect(desktop.page.getByRole('heading', { level: 1 })).toHaveText('Fashion-MNIST')
})

test.afterAll(async () => {
  await desktop.close()
  await rm(home, { recursive: true, force: true, maxRetries: 5 })
})

test('1 and 18: everything comes from the application’s own scheme', async () => {
  const { app, page } = desktop
  expect(await windowAddress(app)).toMatch(/^app:\/\/hinm\/index\.html#/)
  const hosts = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => new URL(name).host))
  expect(hosts.length).toBeGreaterThan(0)
  expect(new Set(hosts)).toEqual(new Set([await page.evaluate(() => location.host)]))
})

test('2, 3, 4, 6, 8, 9, 10, 11: the window has no more rights than it needs', async () => {
  const { app } = desktop
  const preferences = await app.evaluate(({ BrowserWindow }) => {
    // Electron has it for its own tests, and declares no type for it.
    const contents = BrowserWindow.getAllWindows()[0]!.webContents as unknown as { getLastWebPreferences: () => Electron.WebPreferences | null }
    return contents.getLastWebPreferences()
  })
  expect(preferences).toMatchObject({
    nodeIntegration: false,
    contextIsolation: true,
    sandbox: true,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false,
  })
  expect(preferences?.enableBlinkFeatures ?? '').toBe('')
})

test('3 and 20: the page sees the bridge and nothing of Electron or Node', async () => {
  const { page } = desktop
  const seen = await page.evaluate(() => {
    const globals = globalThis as unknown as Record<string, unknown>
    const bridge = globals.host as Record<string, unknown>
    return {
      node: ['require', 'process', 'module', 'Buffer', 'ipcRenderer', 'electron'].filter((name) => name in globals),
      bridge: Object.keys(bridge).toSorted(),
      others: Object.entries(bridge)
        .filter(([, value]) => typeof value !== 'function')
        .map(([name, value]) => `${name}=${String(value)}`),
    }
  })
  expect(seen).toEqual({ node: [], bridge: ['chooseProject', 'connect', 'kind', 'onCommand', 'onMessage', 'post'], others: ['kind=electron'] })
})

test('5: permissions are refused, but for writing to the clipboard', async () => {
  const { page } = desktop
  expect(await permissionStates(page)).toEqual({
    geolocation: 'denied',
    notifications: 'denied',
    camera: 'denied',
    microphone: 'denied',
    'clipboard-read': 'denied',
    'clipboard-write': 'granted',
  })
})

test('7: no script runs that is not a file of the page', async () => {
  const { page } = desktop
  expect(await intrude(page)).toEqual(nothingRan)
})

test('11 and 12: there is no web view', async () => {
  const { page } = desktop
  expect(await page.evaluate(() => 'loadURL' in document.createElement('webview'))).toBe(false)
})

for (const target of ['https://example.invalid/', 'file:///etc/passwd', 'app://hinm/other.html', 'app://elsewhere/index.html'])
  test(`13: the window does not go to ${target}`, async () => {
    expect(await pageStays(desktop, target)).toBe(true)
  })

test('14: no other window is opened', async () => {
  expect(await opensNoWindow(desktop)).toBe(true)
})

test('15: nothing is ever handed to the system to open', () => {
  expect(readFileSync(join(root, 'out', 'electron', 'main.js'), 'utf8')).not.toMatch(/openExternal|openPath|\bshell\b.*from "electron"/)
})

test('17: only the main frame of our own page is listened to', async () => {
  const { app } = desktop
  expect(await messageFrom(app, 'app://hinm/index.html#/runs', true)).toBe(1)
  expect(await messageFrom(app, 'app://hinm/index.html', false)).toBe(0)
  for (const foreign of ['https://example.invalid/index.html', 'app://hinm.evil/index.html', 'app://hinm/other.html', 'file:///index.html', 'about:blank'])
    expect(await messageFrom(app, foreign, true)).toBe(0)
})

test('18: the scheme serves the files of the page and nothing around them', async () => {
  const { page } = desktop
  const answers = await page.evaluate(async () => {
    const paths = [
      'index.html',
      '%2e%2e/%2e%2e/package.json',
      '..%2f..%2fpackage.json',
      'assets/../../electron/main.js',
      '%2e%2e/electron/main.js',
      'index.html%00',
    ]
    return await Promise.all(paths.map(async (path) => (await fetch(`/${path}`)).status))
  })
  expect(answers).toEqual([200, 404, 404, 404, 404, 404])
})
