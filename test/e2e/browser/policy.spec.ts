import { expect, test } from '@playwright/test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openServerHost } from '../hosts/server-host.ts'
import { intrude, nothingRan } from '../script-intrusions.ts'

test('no script runs in a browser that is not a file of the page, and the token leaves no trace in the page', async ({ browser }) => {
  const home = await mkdtemp(join(tmpdir(), 'hinm-policy-'))
  const host = await openServerHost(home, browser)
  await expect(host.page.getByRole('heading', { level: 1 })).toHaveText('Fashion-MNIST')
  expect(await host.page.evaluate(() => [location.search, document.cookie, document.referrer])).toEqual(['', '', ''])
  expect(await intrude(host.page)).toEqual(nothingRan)
  await host.close()
  await rm(home, { recursive: true, force: true, maxRetries: 5 })
})
