export interface Codec {
  encode: (value: unknown) => string
  decode: (text: string) => unknown
}

/**
 * Carries what a structured clone would between processes, as text. Its source is also put into Chromium, so it stands
 * alone. Bytes, undefined and errors have forms of their own; what cannot be cloned is refused as Electron refuses it.
 */
export function makeCodec(): Codec {
  type Tagged = { bytes: string } | { error: [string, string] } | { nothing: true }
  const tag = '$double'
  const base64 = (bytes: Uint8Array): string => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  const pack = (value: unknown): unknown => {
    if (typeof value === 'function' || typeof value === 'symbol') throw new TypeError('An object could not be cloned.')
    if (value instanceof ArrayBuffer) return { [tag]: { bytes: base64(new Uint8Array(value)) } }
    if (ArrayBuffer.isView(value)) return { [tag]: { bytes: base64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)) } }
    if (value === undefined) return { [tag]: { nothing: true } }
    if (value instanceof Error) return { [tag]: { error: [value.name, value.message] } }
    if (Array.isArray(value)) return value.map(pack)
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, pack(item)]))
  }
  const open = (tagged: Tagged): unknown => {
    if ('bytes' in tagged) return Uint8Array.from(atob(tagged.bytes), (character) => character.charCodeAt(0))
    if ('error' in tagged) return Object.assign(new Error(tagged.error[1]), { name: tagged.error[0] })
    return undefined
  }
  const unpack = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(unpack)
    if (value === null || typeof value !== 'object') return value
    const tagged = (value as Record<string, unknown>)[tag]
    if (tagged !== undefined) return open(tagged as Tagged)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unpack(item)]))
  }
  return { encode: (value) => JSON.stringify(pack(value)), decode: (text) => unpack(JSON.parse(text)) }
}
