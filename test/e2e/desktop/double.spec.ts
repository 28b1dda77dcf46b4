import { once } from 'node:events'
import { expect, test } from '../bench.ts'
import { openElectronHost, type ElectronHost } from '../hosts/electron-host.ts'
import { wordsOfDouble } from './words-of-double.ts'
import { opensNoWindow, pageStays, permissionStates } from './intrusions.ts'
import { plantedApp, type Fault } from './planted-app.ts'

// A double that passes everything proves nothing: each fault here must be noticed, by the double itself or by the check
// that is made for it.

async function withFaults(home: string, faults: readonly Fault[], check: (host: ElectronHost) => Promise<void>): Promise<void> {
  const planted = await plantedApp(faults)
  const host = await openElectronHost(home, { application: planted.folder })
  try {
    await expect(host.page.getByRole('heading', { level: 1 })).toHaveText('Fashion-MNIST')
    await check(host)
  } finally {
    await host.close()
    await planted.remove()
  }
}

test('an application without fault passes the checks', async ({ home }) => {
  await withFaults(home, [], async (host) => {
    expect(await pageStays(host, 'https://example.invalid/')).toBe(true)
    expect(await opensNoWindow(host)).toBe(true)
    expect((await permissionStates(host.page)).geolocation).toBe('denied')
  })
})

test('a navigation guard that is missing is noticed', async ({ home }) => {
  await withFaults(home, [{ bundle: 'main.js', from: '"will-frame-navigate"', to: '"will-redirect"' }], async (host) => {
    expect(await pageStays(host, 'https://example.invalid/')).toBe(false)
  })
})

test('permissions that are given away are noticed', async ({ home }) => {
  const faults: Fault[] = [
    { bundle: 'main.js', from: 'decide(permission === allowedPermission &&', to: 'decide(true ||' },
    { bundle: 'main.js', from: 'permission === allowedPermission && contents !== null', to: 'true || contents' },
  ]
  await withFaults(home, faults, async ({ page }) => {
    expect((await permissionStates(page)).geolocation).toBe('granted')
  })
})

const refusedByDouble: [string, Fault[], RegExp][] = [
  ['a page without sandbox', [{ bundle: 'main.js', from: 'sandbox: true', to: 'sandbox: false' }], /a page without sandbox is not emulated/],
  [
    'a page without context isolation',
    [{ bundle: 'main.js', from: 'contextIsolation: true', to: 'contextIsolation: false' }],
    /without context isolation is not emulated/,
  ],
  ['Node in the page', [{ bundle: 'main.js', from: 'nodeIntegration: false', to: 'nodeIntegration: true' }], /nodeIntegration is not emulated/],
  [
    'a function of Electron that the double lacks',
    [{ bundle: 'main.js', from: 'app.requestSingleInstanceLock()', to: 'app.setBadgeCount(1)' }],
    /app\.setBadgeCount is not emulated/,
  ],
  [
    'a part of Electron that the double lacks',
    [{ bundle: 'main.js', from: 'nativeTheme, ', to: 'nativeTheme, Tray, ' }],
    /does not provide an export named 'Tray'/,
  ],
  [
    'an event that the double never emits',
    [{ bundle: 'main.js', from: '"window-all-closed"', to: '"browser-window-blur"' }],
    /the event "browser-window-blur" of app is not emulated/,
  ],
  ['a channel that nobody listens to', [{ bundle: 'preload.cjs', from: 'hinm:connect', to: 'hinm:conect' }], /nobody listens to the channel "hinm:conect"/],
  ['a preload that reaches for Node', [{ bundle: 'preload.cjs', from: 'require("electron")', to: 'require("node:fs")' }], /module not found: node:fs/],
]
for (const [what, faults, words] of refusedByDouble)
  test(`the double refuses ${what}`, async ({ home }) => {
    const planted = await plantedApp(faults)
    const said = await wordsOfDouble(planted.folder, home, words)
    await planted.remove()
    expect(said).toMatch(words)
  })

test('the double refuses to let a page open a window', async ({ home }) => {
  const planted = await plantedApp([{ bundle: 'main.js', from: 'action: "deny"', to: 'action: "allow"' }])
  const host = await openElectronHost(home, { application: planted.folder })
  const gone = once(host.app.process(), 'exit')
  await expect(host.page.getByRole('heading', { level: 1 })).toHaveText('Fashion-MNIST')
  // The page goes down with the double, so its answer may not come.
  await host.page.evaluate(() => void open('https://example.invalid/')).catch(() => undefined)
  await gone
  await planted.remove()
  expect(host.complaints.join('\n')).toMatch(/a window that a page opens .* is not emulated/)
})
