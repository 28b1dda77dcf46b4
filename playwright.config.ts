import { defineConfig } from '@playwright/test'
import type { HostOptions } from './test/e2e/bench.ts'
import { electronRuntime } from './test/e2e/hosts/electron-runtime.ts'

const { kind, version } = electronRuntime()
const isRoot = process.getuid?.() === 0

/** Every spec says in its project's name what it ran on. The double's own tests need the double. */
export default defineConfig<HostOptions>({
  testDir: 'test/e2e',
  outputDir: 'test-results/end-to-end',
  workers: 1,
  timeout: 90_000,
  // An engine starts anew for the first question, which takes a while on two busy cores.
  expect: { timeout: 15_000 },
  // The first window after the browser specs sometimes never answers on the double; a second try is counted as flaky in the output.
  retries: 1,
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  use: {
    launchOptions: {
      executablePath: process.env.HINM_CHROMIUM ?? '/usr/bin/chromium',
      // Chromium's sandbox refuses to run as root, so that root alone goes without it.
      chromiumSandbox: !isRoot,
    },
  },
  projects: [
    { name: 'browser', testIgnore: 'desktop/**', use: { hostKind: 'browser' } },
    {
      name: kind === 'double' ? `Electron double of ${version}` : `Electron ${version}`,
      testIgnore: ['browser/**', ...(kind === 'double' ? [] : ['desktop/double.spec.ts', 'desktop/package.spec.ts'])],
      use: { hostKind: 'electron' },
    },
  ],
})
