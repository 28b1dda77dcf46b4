import { expect, test } from './bench.ts'
import { ProjectPage } from './pages/project-page.ts'
import { RunPage } from './pages/run-page.ts'

/** dense, then 2:4 and HiNM, each without permutation and with gyro. */
const choice = { models: ['fashion-mlp'], patterns: ['dense', '2:4', 'hinm'], sparsities: ['75'], strategies: ['none', 'gyro'], timing: true }
const [dense, nm, nmGyro, hinm, hinmGyro] = [0, 1, 2, 3, 4] as const

test('a newcomer sees what sparsity does to a trained network, and finds it again after a restart', async ({ bench }) => {
  const first = await bench.open()
  const project = new ProjectPage(first.page)
  await expect(project.heading).toHaveText('Fashion-MNIST')
  await project.choose(choice)
  await expect(project.planCount).toHaveText('5')
  await project.start.click()

  const run = new RunPage(first.page)
  await expect(run.status).toHaveText('running')
  await expect(run.phase).toContainText('fashion-mlp · ')
  await expect(run.rows).toHaveCount(5)
  await expect(run.status).toHaveText('done', { timeout: 60_000 })
  await expect(run.count).toHaveText('5 of 5 cases')
  await expect(run.chart).toHaveAttribute('data-marks', '5')
  await expect(run.chart.locator('canvas, svg').first()).toBeVisible()

  // One-shot magnitude on all 10,000 images, measured once with another implementation; 0.3 points are 30 images.
  expect(Math.abs((await run.value(dense, 'accuracy.top1')) - 89.8)).toBeLessThanOrEqual(0.3)
  expect(Math.abs((await run.value(nm, 'accuracy.top1')) - 88.28)).toBeLessThanOrEqual(0.3)
  expect(Math.abs((await run.value(hinm, 'accuracy.top1')) - 74.7)).toBeLessThanOrEqual(0.3)
  // An order can only be worth its search when it keeps more than none does.
  expect(await run.value(nmGyro, 'saliency.retained')).toBeGreaterThan(await run.value(nm, 'saliency.retained'))
  expect(await run.value(hinmGyro, 'saliency.retained')).toBeGreaterThan(await run.value(hinm, 'saliency.retained'))
  const shown = await run.rows.allInnerTexts()
  await first.close()

  const second = await bench.open()
  await second.page.getByTestId('nav-history').click()
  await second.page.getByTestId('history-row').first().getByRole('link').click()
  const again = new RunPage(second.page)
  await expect(again.status).toHaveText('done')
  await expect(again.chart).toHaveAttribute('data-marks', '5')
  await expect(again.rows).toHaveText(shown, { useInnerText: true })
})

test('a run is cancelled, keeps what is finished, and is resumed', async ({ bench }) => {
  const { page } = await bench.open()
  const project = new ProjectPage(page)
  await project.choose({ ...choice, models: ['fashion-mlp', 'fashion-cnn'], strategies: ['gyro'], timing: false })
  await expect(project.planCount).toHaveText('6')
  await project.start.click()

  const run = new RunPage(page)
  await expect(run.rows.nth(0)).toContainText('done', { timeout: 30_000 })
  await run.cancel.click()
  await expect(run.status).toHaveText('cancelled')
  await expect(run.rows.nth(0)).toContainText('done')
  const kept = await run.rows.nth(0).innerText()

  await run.resume.click()
  await expect(run.status).toHaveText('running')
  await run.cancel.click()
  await expect(run.status).toHaveText('cancelled')
  await expect(run.rows.nth(0)).toHaveText(kept, { useInnerText: true })
})

test('killing the application in mid-run loses only the case in flight', async ({ bench }) => {
  const first = await bench.open()
  const project = new ProjectPage(first.page)
  await project.choose({ ...choice, strategies: ['gyro'], timing: false })
  await project.start.click()
  const run = new RunPage(first.page)
  await expect(run.rows.nth(0)).toContainText('done', { timeout: 30_000 })
  await first.kill()

  const second = await bench.open()
  await second.page.getByTestId('nav-history').click()
  await second.page.getByTestId('history-row').first().getByRole('link').click()
  const again = new RunPage(second.page)
  await expect(again.status).toHaveText('interrupted')
  await expect(again.rows.nth(0)).toContainText('done')
  await again.resume.click()
  await expect(again.status).toHaveText('done', { timeout: 60_000 })
  await expect(again.count).toHaveText('3 of 3 cases')
})
