/** Deeper nesting than any header or index has; a guard against files made to exhaust the stack. */
const greatestDepth = 16

/**
 * The first key that an object of the JSON text names twice, which parsers take silently; null when there is none.
 * Text that is nested too deep counts as repeating its bracket. Text that is not JSON is left to the parser.
 */
export function repeatedKey(text: string): string | null {
  const tokens = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/gs
  const open: (Set<string> | null)[] = []
  for (let match = tokens.exec(text); match; match = tokens.exec(text)) {
    const [token, colon] = match
    if (token === '{' || token === '[') {
      open.push(token === '{' ? new Set() : null)
      if (open.length > greatestDepth) return token.repeat(greatestDepth)
    } else if (token === '}' || token === ']') {
      open.pop()
    } else if (colon !== undefined) {
      const key = unescaped(token.slice(0, token.length - colon.length))
      const keys = open.at(-1)
      if (keys?.has(key)) return key
      keys?.add(key)
    }
  }
  return null
}

/** `"a\u0062"` and `"ab"` are the same key. */
function unescaped(literal: string): string {
  if (!literal.includes('\\')) return literal.slice(1, -1)
  try {
    return String(JSON.parse(literal))
  } catch {
    return literal
  }
}
