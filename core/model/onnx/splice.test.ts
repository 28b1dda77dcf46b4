import { describe, expect, it } from 'vitest'
import type { MessageRange } from './proto.ts'
import { splice, varint } from './splice.ts'

describe('splicing bytes into nested messages', () => {
  it('leaves the rest alone when the length does not change', () => {
    const bytes = Uint8Array.of(0x0a, 2, 7, 8, 9)
    const within: MessageRange = { lengthAt: 1, start: 2, end: 4, parent: null }
    expect([...splice(bytes, [{ start: 2, end: 4, bytes: Uint8Array.of(1, 2), within }])]).toEqual([0x0a, 2, 1, 2, 9])
  })

  it('sets the length of every enclosing message right, also when a length needs more bytes', () => {
    // outer { inner { 1 byte } }: growing the byte to 125 makes inner 125 long (one byte of length), outer
    // 1 tag + 1 length + 125 = 127 (one byte); growing it to 126 more than that makes both need two
    const bytes = Uint8Array.of(0x0a, 3, 0x0a, 1, 5)
    const outer: MessageRange = { lengthAt: 1, start: 2, end: 5, parent: null }
    const inner: MessageRange = { lengthAt: 3, start: 4, end: 5, parent: outer }
    for (const size of [125, 126, 127, 128, 20000]) {
      const grown = splice(bytes, [{ start: 4, end: 5, bytes: new Uint8Array(size).fill(5), within: inner }])
      const innerLength = varint(size)
      const outerLength = varint(1 + innerLength.length + size)
      expect([...grown.subarray(0, 2 + outerLength.length + innerLength.length)]).toEqual([0x0a, ...outerLength, 0x0a, ...innerLength])
      expect(grown.length).toBe(1 + outerLength.length + 1 + innerLength.length + size)
    }
  })
})
