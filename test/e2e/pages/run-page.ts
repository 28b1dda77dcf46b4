import type { Locator, Page } from '@playwright/test'

/** The page of one run. */
export class RunPage {
  readonly status: Locator
  readonly phase: Locator
  readonly count: Locator
  readonly rows: Locator
  readonly chart: Locator
  readonly cancel: Locator
  readonly resume: Locator

  constructor(page: Page) {
    this.status = page.getByTestId('run-status')
    this.phase = page.getByTestId('run-phase')
    this.count = page.getByTestId('run-count')
    this.rows = page.getByTestId('case-row')
    this.chart = page.getByTestId('sparsity-chart')
    this.cancel = page.getByTestId('cancel-run')
    this.resume = page.getByTestId('resume-run')
  }

  /** The number behind a cell, as it was measured and not as it is shown. */
  async value(row: number, metric: string): Promise<number> {
    const text = await this.rows.nth(row).locator(`[data-metric="${metric}"]`).getAttribute('data-value')
    return text === null ? NaN : Number(text)
  }
}
