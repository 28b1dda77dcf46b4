import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { pageBackground } from './page-background.ts'

it('is the background that the page draws', () => {
  const tokens = readFileSync(new URL('../renderer/src/styles/tokens.css', import.meta.url), 'utf8')
  expect(/--bg: light-dark\((.*?), (.*?)\);/.exec(tokens)?.slice(1)).toEqual([pageBackground.light, pageBackground.dark])
})
