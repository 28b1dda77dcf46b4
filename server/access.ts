import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

const lockMilliseconds = 60_000
const failuresAllowed = 10

/** Equal or not, in a time that does not depend on where two texts differ. */
function same(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())
}

const secret = (): string => randomBytes(32).toString('base64url')

/**
 * Who may use this server: whoever opens the link with its token, which is made anew at every start and exchanged for a
 * cookie, so that it stays neither in the address bar nor in requests.
 */
export class Access {
  readonly token = secret()
  readonly #session = secret()
  readonly #cookieName: string
  #failures: number[] = []

  /** The port is part of the cookie's name, because cookies do not tell ports apart and two servers may run. */
  constructor(port: number) {
    this.#cookieName = `hinm-${port}`
  }

  /** What an offered token is answered with. After ten wrong ones in a minute, none is looked at until the minute is over. */
  offer(token: string, now = Date.now()): 'granted' | 'refused' | 'locked' {
    this.#failures = this.#failures.filter((at) => now - at < lockMilliseconds)
    if (this.#failures.length >= failuresAllowed) return 'locked'
    if (same(token, this.token)) return 'granted'
    this.#failures.push(now)
    return 'refused'
  }

  /** The header that grants access: unreadable for scripts, never sent along from another site. */
  get setCookie(): string {
    return `${this.#cookieName}=${this.#session}; HttpOnly; SameSite=Strict; Path=/`
  }

  /** Does this Cookie header grant access? */
  admits(cookies: string | undefined): boolean {
    const pairs = (cookies ?? '').split(';').map((pair) => pair.trim())
    const own = pairs.find((pair) => pair.startsWith(`${this.#cookieName}=`))
    return own !== undefined && same(own.slice(this.#cookieName.length + 1), this.#session)
  }
}
