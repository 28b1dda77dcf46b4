/** JSON that keeps the sign of −0, which JSON.stringify drops. Values that JSON has no word for must not occur. */
export function toJson(value: unknown): string {
  const keep = (key: string, entry: unknown): unknown => {
    if (typeof entry !== 'number') return entry
    if (!Number.isFinite(entry)) throw new Error(`${key} is ${entry}, which JSON cannot hold`)
    return Object.is(entry, -0) ? rawJson('-0') : entry
  }
  return JSON.stringify(value, keep, 2)
}

/** Part of ECMAScript 2026 and of every Node that this app runs on, but not yet of TypeScript's library. */
const rawJson = (JSON as unknown as { rawJSON: (text: string) => unknown }).rawJSON
