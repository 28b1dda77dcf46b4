import { expect, type Locator, type Page } from '@playwright/test'

export interface RunChoice {
  models: readonly string[]
  patterns: readonly string[]
  sparsities: readonly string[]
  strategies: readonly string[]
  timing: boolean
}

/** The page on which a run is put together. */
export class ProjectPage {
  readonly heading: Locator
  readonly planCount: Locator
  readonly start: Locator
  private readonly page: Page

  constructor(page: Page) {
    this.page = page
    this.heading = page.getByRole('heading', { level: 1 })
    this.planCount = page.getByTestId('plan-count')
    this.start = page.getByTestId('start-run')
  }

  /** Leaves chosen what is named and nothing else. */
  async choose({ models, patterns, sparsities, strategies, timing }: RunChoice): Promise<void> {
    await expect(this.start).toBeEnabled()
    await this.leaveChecked('use', models)
    await this.leaveChecked('patterns', patterns)
    await this.leaveChecked('strategies', strategies)
    await this.leaveChecked('sparsities', sparsities)
    await this.page.getByTestId('timing').setChecked(timing)
  }

  /** By keyboard, because some of the boxes are drawn as chips. */
  private async leaveChecked(group: string, wanted: readonly string[]): Promise<void> {
    for (const box of await this.page.locator(`input[type=checkbox][data-testid^="${group}-"]`).all()) {
      const name = (await box.getAttribute('data-testid'))?.slice(group.length + 1) ?? ''
      if ((await box.isChecked()) !== wanted.includes(name)) await box.press('Space')
    }
  }
}
