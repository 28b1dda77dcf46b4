import type { Page } from '@playwright/test'

export interface IntrusionOutcome {
  intruded: boolean
  remote: string
  evaluated: string
  violations: string[]
}

/** What a page says on which nothing ran or was fetched that is not its own. */
export const nothingRan: IntrusionOutcome = {
  intruded: false,
  remote: 'refused',
  evaluated: 'refused',
  violations: ['connect-src', 'frame-src', 'script-src', 'script-src-attr', 'script-src-elem', 'style-src-elem'],
}

/** Tries to run scripts, styles and frames in the page as a name or a note with markup in it would. */
export const intrude = (page: Page): Promise<IntrusionOutcome> =>
  page.evaluate(async () => {
    const violations: string[] = []
    addEventListener('securitypolicyviolation', ({ effectiveDirective }) => violations.push(effectiveDirective))
    const script = document.createElement('script')
    script.textContent = 'globalThis.intruded = true'
    document.body.append(script)
    document.body.insertAdjacentHTML(
      'beforeend',
      '<img src="x" onerror="globalThis.intruded = true"><iframe src="https://example.invalid/"></iframe><style>body { display: none }</style>',
    )
    const remote = await fetch('https://example.invalid/').then(
      () => 'fetched',
      () => 'refused',
    )
    // In a turn of its own: what a debugger evaluates may evaluate, what it leaves behind may not.
    const evaluated = await new Promise<string>((resolve) =>
      setTimeout(() => {
        try {
          // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- the intrusion itself
          new Function('return 1')()
          resolve('evaluated')
        } catch {
          resolve('refused')
        }
      }),
    )
    await new Promise((resolve) => setTimeout(resolve, 200))
    return { intruded: 'intruded' in globalThis, remote, evaluated, violations: [...new Set(violations)].toSorted() }
  })
