const loopbackHost = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/

/**
 * Is this Host header one that the server was asked by? Any other name was made to point here by somebody else (DNS
 * rebinding). The port may be any, because the near end of a tunnel has a port of its own.
 */
export function isOwnHost(host: string | undefined): boolean {
  return host !== undefined && loopbackHost.test(host)
}

/** Was the request made by a page of this server? A missing Origin is not a pass. */
export function isOwnOrigin(origin: string | undefined, host: string | undefined): boolean {
  return isOwnHost(host) && origin === `http://${host}`
}
