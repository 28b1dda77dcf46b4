/** The same data with null for every number that JSON has no word for (NaN, ±∞), as in a wrong result's error. */
export function finiteOnly(value: unknown): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (Array.isArray(value)) return value.map(finiteOnly)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, finiteOnly(entry)]))
}
