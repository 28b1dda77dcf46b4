import { expect, test } from '../bench.ts'
import { startServer } from '../hosts/server-host.ts'
import { ProjectPage } from '../pages/project-page.ts'
import { RunPage } from '../pages/run-page.ts'
import { openTunnel } from './tunnel.ts'

test('a machine behind a tunnel is used as if it were here, and a tunnel that breaks loses nothing', async ({ page, home }) => {
  const complaints: string[] = []
  const server = await startServer(home, complaints)
  const link = new URL(server.link)
  const tunnel = await openTunnel(Number(link.port))
  link.hostname = 'localhost'
  link.port = String(tunnel.port)

  await page.goto(link.href)
  const project = new ProjectPage(page)
  await project.choose({ models: ['fashion-mlp'], patterns: ['dense', '2:4', 'hinm'], sparsities: ['75'], strategies: ['gyro'], timing: false })
  await project.start.click()
  const run = new RunPage(page)
  await expect(run.rows.nth(0)).toContainText('done', { timeout: 30_000 })

  await tunnel.cut()
  await expect(run.phase).toContainText('check that the server still runs')
  await tunnel.mend()
  await expect(run.status).toHaveText('done', { timeout: 60_000 })
  await expect(run.count).toHaveText('3 of 3 cases')

  await tunnel.cut()
  expect(await server.stop('SIGTERM')).toBe(0)
  expect(complaints).toEqual([])
})
