import type * as v from 'valibot'

/** A validation issue as one sentence: where, what was found, what is allowed. */
export function issueSentence(issue: v.BaseIssue<unknown>): string {
  const place = (issue.path ?? []).map((item) => String(item.key)).join('.')
  const where = place === '' ? 'its top level' : `"${place}"`
  if (!issue.message.startsWith('Invalid ')) return `${where}: ${issue.message}`
  if (issue.expected === 'never') return `${where} is not a field that is known here; check its spelling or leave it out.`
  if (issue.received === 'undefined') return `${where} is missing; it must be ${allowed(issue)}.`
  return `${where} is ${issue.received}, but it must be ${allowed(issue)}.`
}

const kinds: Record<string, string> = { string: 'a text', number: 'a number', Object: 'an object', Array: 'a list', boolean: 'true or false' }

function allowed(issue: v.BaseIssue<unknown>): string {
  const expected = issue.expected ?? 'of another form'
  return kinds[expected] ?? expected.replaceAll(' | ', ' or ').replace(/^\((.*)\)$/, '$1')
}
