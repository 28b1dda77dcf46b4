import { describe, expect, it } from 'vitest'
import { isOwnHost, isOwnOrigin } from './origin-check.ts'

describe('isOwnHost', () => {
  it.each(['127.0.0.1:8080', 'localhost:8080', 'localhost', '[::1]:8080'])('knows %s', (host) => {
    expect(isOwnHost(host)).toBe(true)
  })

  it.each([
    undefined,
    '',
    'evil.example',
    'evil.example:8080',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'evil-localhost',
    '127.0.0.2',
    '0.0.0.0',
    'localhost:8080@evil',
    'localhost:',
  ])('refuses %s, which somebody else made to point here', (host) => {
    expect(isOwnHost(host)).toBe(false)
  })
})

describe('isOwnOrigin', () => {
  it('is the origin of the very host that was asked', () => {
    expect(isOwnOrigin('http://localhost:8080', 'localhost:8080')).toBe(true)
  })

  it.each([undefined, 'null', 'http://evil.example', 'https://localhost:8080', 'http://localhost:8081', 'http://127.0.0.1:8080'])('refuses %s', (origin) => {
    expect(isOwnOrigin(origin, 'localhost:8080')).toBe(false)
  })

  it('refuses an origin that matches a host which is not ours', () => {
    expect(isOwnOrigin('http://evil.example', 'evil.example')).toBe(false)
  })
})
