/** Numbers as the reader's locale writes them. Files never use these: they carry invariant numbers. */
const cache = new Map<string, Intl.NumberFormat>()

function formatter(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify(options)
  const known = cache.get(key)
  if (known) return known
  const made = new Intl.NumberFormat(undefined, options)
  cache.set(key, made)
  return made
}

/** Below half of the last digit a value would read as 0; with more than three zeros behind the point it would be hard to read. */
const leastPlain = (digits: number): number => Math.max(0.5 * 10 ** -digits, digits > 4 ? 1e-4 : 0)

/** A value with a fixed count of digits after the point; too small for them, it is written in scientific notation. */
export function fixed(value: number, digits: number): string {
  if (value !== 0 && Math.abs(value) < leastPlain(digits)) return formatter({ notation: 'scientific', maximumFractionDigits: 2 }).format(value)
  return formatter({ minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value)
}

/** A value with as few digits as it needs, at most `digits`: for settings such as 87.5 %. */
export function plain(value: number, digits = 3): string {
  return formatter({ maximumFractionDigits: digits }).format(value)
}

export const count = (value: number): string => formatter({ maximumFractionDigits: 0 }).format(value)

/** Bytes in decimal units. */
export function bytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const step = value === 0 ? 0 : Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.abs(value)) / 3)))
  return `${plain(value / 1000 ** step, step === 0 ? 0 : 1)} ${units[step]}`
}

/** "1 case", "3 cases". */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`
}
