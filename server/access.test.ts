import { describe, expect, it } from 'vitest'
import { Access } from './access.ts'

const cookieOf = (access: Access): string => access.setCookie.split(';')[0]!

describe('Access', () => {
  it('gives a token of 256 bits, another one at every start', () => {
    const tokens = [new Access(1).token, new Access(1).token]
    expect(tokens.map((token) => Buffer.from(token, 'base64url').length)).toEqual([32, 32])
    expect(tokens[0]).not.toBe(tokens[1])
  })

  it('grants its own token and refuses every other', () => {
    const access = new Access(8080)
    expect(access.offer(access.token)).toBe('granted')
    for (const wrong of ['', access.token.slice(1), `${access.token}x`, new Access(8080).token]) expect(access.offer(wrong)).toBe('refused')
  })

  it('looks at no token for a minute after ten wrong ones, and then again', () => {
    const access = new Access(8080)
    for (let attempt = 0; attempt < 10; attempt++) expect(access.offer('wrong', 1000)).toBe('refused')
    expect(access.offer(access.token, 60_999)).toBe('locked')
    expect(access.offer(access.token, 61_000)).toBe('granted')
  })

  it('admits the cookie that it set, among others, and nothing else', () => {
    const access = new Access(8080)
    expect(access.admits(cookieOf(access))).toBe(true)
    expect(access.admits(`theme=dark; ${cookieOf(access)}; other=1`)).toBe(true)
    for (const wrong of [undefined, '', 'hinm-8080=', `${cookieOf(access)}x`, `hinm-8080=${access.token}`, cookieOf(new Access(8080))])
      expect(access.admits(wrong)).toBe(false)
  })

  it('hides the cookie from scripts and from other sites', () => {
    expect(new Access(8080).setCookie).toMatch(/^hinm-8080=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/)
  })
})
