import type { Environment, Fact } from '../../contract/environment.ts'

const words = (fact: Fact | undefined): string => (fact === undefined || fact.value === null ? 'not known' : String(fact.value))

/** What differs between two environments, one phrase each; empty when nothing does. */
export function environmentChanges(before: Environment, after: Environment): string[] {
  const pairs: [string, string, string][] = [
    ['application version', before.app, after.app],
    ['host', before.host, after.host],
    ['platform', before.platform, after.platform],
  ]
  for (const name of new Set([...Object.keys(before.facts), ...Object.keys(after.facts)]))
    pairs.push([name, words(before.facts[name]), words(after.facts[name])])
  return pairs.filter(([, a, b]) => a !== b).map(([name, a, b]) => `${name} was ${a} and is now ${b}`)
}
