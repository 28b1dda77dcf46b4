import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, test } from '../bench.ts'
import { ProjectPage } from '../pages/project-page.ts'
import { RunPage } from '../pages/run-page.ts'

const looks = [
  { theme: 'light', width: 1280, height: 800 },
  { theme: 'dark', width: 1280, height: 800 },
  { theme: 'light', width: 1920, height: 1080 },
  { theme: 'dark', width: 1920, height: 1080 },
] as const

/** Every page, by the name of its picture, once a run is there to be shown. */
const places: Record<string, string> = {
  projects: '#/projects',
  run: '#/runs/1',
  case: '#/runs/1/cases/3',
  runs: '#/runs',
  compare: '#/compare?of=1:1,1:3',
  devices: '#/devices',
}

test('every page fits its window and can be used by everybody, in light and dark', async ({ bench }) => {
  const { page } = await bench.open()
  const all = { ...places, project: await measure(page) }
  for (const { theme, width, height } of looks) {
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    for (const [name, place] of Object.entries(all)) {
      await show(page, place)
      await page.screenshot({ path: `test-results/pages/${name}-${theme}-${width}.png`, animations: 'disabled' })
      expect(await overflow(page), `${name} in ${theme} at ${width}`).toEqual([])
    }
  }
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme })
    for (const [name, place] of Object.entries(all)) {
      await show(page, place)
      const { violations } = await rules[theme](new AxeBuilder({ page })).analyze()
      expect(violations.map(({ id, nodes }) => `${name} in ${theme}: ${id} at ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)).toEqual([])
    }
  }
})

/** Everything in light; in dark only the colours are other ones. */
const rules = {
  light: (axe: AxeBuilder): AxeBuilder => axe,
  dark: (axe: AxeBuilder): AxeBuilder => axe.withRules(['color-contrast']),
}

/** Fills the history with one short run and returns the place of its project. */
async function measure(page: Page): Promise<string> {
  const project = new ProjectPage(page)
  await project.choose({ models: ['fashion-mlp'], patterns: ['dense', '2:4', 'hinm'], sparsities: ['75'], strategies: ['none'], timing: true })
  await expect(project.planCount).toHaveText('3')
  const place = new URL(page.url()).hash
  await project.start.click()
  await expect(new RunPage(page).status).toHaveText('done', { timeout: 60_000 })
  return place
}

async function show(page: Page, place: string): Promise<void> {
  await page.evaluate((hash) => {
    location.hash = hash
  }, place)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.locator('main')).not.toContainText(/Loading|Looking…|Opening/)
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
}

/** Elements that reach out of the window. */
const overflow = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const root = document.documentElement
    if (root.scrollWidth <= root.clientWidth && root.scrollHeight <= root.clientHeight) return []
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > root.clientWidth + 1)
      .map((element) => element.tagName)
  })
