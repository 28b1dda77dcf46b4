import { resolve } from 'node:path'
import { expect, test } from '../bench.ts'
import { openElectronHost } from '../hosts/electron-host.ts'
import { root } from '../hosts/server-host.ts'
import { RunPage } from '../pages/run-page.ts'

/** Electron declares a menu item's click as any function at all. */
interface Clickable {
  click: (event: object, window: Electron.BrowserWindow) => void
}

const sample = resolve(root, 'samples', 'fashion', 'project.json')

test('one window is shown, with the name of the application', async ({ desktop: { app, page } }) => {
  await expect(page).toHaveTitle(/HiNM Bench$/)
  await expect.poll(() => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((window) => window.isVisible()))).toEqual([true])
})

test('File, Open Project opens what the dialog gives', async ({ desktop: { app, page } }) => {
  await page.getByTestId('nav-devices').click()
  await app.evaluate(({ dialog, Menu, BrowserWindow }, path) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] })
    const item = Menu.getApplicationMenu()!.getMenuItemById('open-project') as unknown as Clickable
    item.click({}, BrowserWindow.getAllWindows()[0]!)
  }, sample)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Fashion-MNIST')
})

test('the page’s own Browse button asks with the same dialog', async ({ desktop: { app, page } }) => {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Fashion-MNIST')
  await page.getByTestId('nav-projects').click()
  await app.evaluate(({ dialog }, path) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] })
  }, sample)
  await page.getByTestId('browse-project').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Fashion-MNIST')
})

test('Run, Start and Run, Cancel are obeyed by the page', async ({ desktop: { app, page } }) => {
  const click = (id: string): Promise<void> =>
    app.evaluate(({ Menu, BrowserWindow }, name) => {
      const item = Menu.getApplicationMenu()!.getMenuItemById(name) as unknown as Clickable
      item.click({}, BrowserWindow.getAllWindows()[0]!)
    }, id)
  await expect(page.getByTestId('start-run')).toBeEnabled()
  await click('start-run')
  const run = new RunPage(page)
  await expect(run.status).toHaveText('running')
  await click('cancel-run')
  await expect(run.status).toHaveText('cancelled')
})

test('a reload of the page loses nothing of a run', async ({ desktop: { app, page } }) => {
  await page.getByTestId('start-run').click()
  const run = new RunPage(page)
  await expect(run.status).toHaveText('running')
  await app.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()[0]!.webContents.reload()
  })
  await expect(run.status).toHaveText('running')
  await expect(run.rows.nth(0)).toContainText('done', { timeout: 30_000 })
  await run.cancel.click()
  await expect(run.status).toHaveText('cancelled')
})

test('a second start brings its project to the first window and ends', async ({ home, desktop: { app, page } }) => {
  await page.getByTestId('nav-devices').click()
  await expect(openElectronHost(home, { args: [sample] })).rejects.toThrow()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Fashion-MNIST')
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1)
})

test('a project that the system opens is shown', async ({ desktop: { app, page } }) => {
  await page.getByTestId('nav-devices').click()
  const prevented = await app.evaluate(({ app: application }, path) => {
    let taken = false
    application.emit('open-file', { preventDefault: () => (taken = true) }, path)
    return taken
  }, sample)
  expect(prevented).toBe(true)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Fashion-MNIST')
})

test('the window opens on the project that the application was started with', async ({ home }) => {
  const host = await openElectronHost(home, { args: [resolve(root, 'test', 'tasks', 'fashion-cnn.task.json')] })
  await expect(host.page.getByRole('heading', { level: 1 })).toContainText('cnn')
  await host.close()
  expect(host.complaints).toEqual([])
})
