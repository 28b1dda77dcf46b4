import { expect, it } from 'vitest'
import { hinmHome, historyFile } from './home.ts'

it.each([
  ['linux', {}, '/home/u/.local/share/hinm-bench'],
  ['linux', { XDG_DATA_HOME: '/data' }, '/data/hinm-bench'],
  ['darwin', {}, '/home/u/Library/Application Support/hinm-bench'],
  ['win32', { APPDATA: '/roaming' }, '/roaming/hinm-bench'],
  ['linux', { HINM_HOME: '/mine' }, '/mine'],
  ['win32', { HINM_HOME: '/mine', APPDATA: '/roaming' }, '/mine'],
] as const)('the home on %s with %o is %s', (platform, env, expected) => {
  expect(hinmHome(env, platform, '/home/u')).toBe(expected)
})

it('the history lies in it', () => {
  expect(historyFile('/mine')).toBe('/mine/history.db')
})
