import { test as base, expect } from '@playwright/test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openElectronHost, type ElectronHost } from './hosts/electron-host.ts'
import type { RunningHost } from './hosts/running-host.ts'
import { openServerHost } from './hosts/server-host.ts'

export interface HostOptions {
  hostKind: 'browser' | 'electron'
}

/** An application with a home of its own, that can be ended and opened again. */
export interface Bench {
  readonly home: string
  open: () => Promise<RunningHost>
}

interface Fixtures {
  bench: Bench
  desktop: ElectronHost
}

export const test = base.extend<Fixtures & HostOptions & { home: string }>({
  hostKind: ['browser', { option: true }],

  home: async ({}, use) => {
    const home = await mkdtemp(join(tmpdir(), 'hinm-end-to-end-'))
    await use(home)
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  },

  bench: async ({ home, hostKind, browser }, use) => {
    const opened: RunningHost[] = []
    await use({
      home,
      async open() {
        const host = hostKind === 'browser' ? await openServerHost(home, browser) : await openElectronHost(home)
        opened.push(host)
        return host
      },
    })
    for (const host of opened) await host.close()
    expect(opened.flatMap((host) => host.complaints)).toEqual([])
  },

  desktop: async ({ home }, use) => {
    const desktop = await openElectronHost(home)
    await use(desktop)
    await desktop.close()
  },
})

export { expect }
