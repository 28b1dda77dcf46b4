import { describe, expect, it } from 'vitest'
import { textTokens } from './text-tokens.ts'

describe('a text as tokens', () => {
  it('numbers its characters in the order of their code points', () => {
    expect(textTokens('banana')).toEqual({ kind: 'text', tokens: Int32Array.of(1, 0, 2, 0, 2, 0), symbols: 3 })
  })

  it('counts a character outside the basic plane once', () => {
    expect(textTokens('a🙂a').symbols).toBe(2)
    expect(textTokens('a🙂a').tokens).toHaveLength(3)
  })

  it('refuses an empty text and one that is no text', () => {
    expect(() => textTokens('')).toThrow('The text is empty')
    const all = Array.from({ length: 5000 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join('')
    expect(() => textTokens(all)).toThrow('5000 different characters')
  })
})
