import { plain } from './number.ts'

/** A span for people: "0.8 s", "42 s", "3 min 05 s", "2 h 07 min". */
export function duration(seconds: number): string {
  if (seconds < 9.95) return `${plain(seconds, 1)} s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return `${minutes} min ${pad(whole % 60)} s`
  return `${Math.floor(minutes / 60)} h ${pad(minutes % 60)} min`
}

const pad = (value: number): string => String(value).padStart(2, '0')

const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' })

/** Date and time of day in the reader's locale and zone. `at` is milliseconds since 1970, UTC. */
export const moment = (at: number): string => dateTime.format(at)
export const clockTime = (at: number): string => clock.format(at)
