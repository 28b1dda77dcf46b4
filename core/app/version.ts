import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The version in the application's package.json, the nearest one above this file: the clone's or the package's. */
export function appVersion(folder = import.meta.dirname): string {
  let place = folder
  while (!existsSync(join(place, 'package.json')) && dirname(place) !== place) place = dirname(place)
  return (JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as { version: string }).version
}
