import type { Page } from '@playwright/test'

/** The application on one of its hosts, as a person has it before them. */
export interface RunningHost {
  readonly page: Page
  /** What no page and no host should ever say: errors, refused scripts, stacks. */
  readonly complaints: readonly string[]
  /** Ends it as a person does. */
  close: () => Promise<void>
  /** Ends its process with SIGKILL, as a crash or a power cut does. */
  kill: () => Promise<void>
}

/** Collects what a page complains of. */
export function listenToPage(page: Page, complaints: string[]): void {
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(`console ${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => complaints.push(`page error: ${error.message}`))
}
