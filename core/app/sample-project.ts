import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The folder of the project that ships with the app: in the clone, or among the resources of a packaged app. */
export function sampleProject(folder = import.meta.dirname): string {
  const resources = (process as { resourcesPath?: string }).resourcesPath
  const places = [...(resources ? [join(resources, 'samples', 'fashion')] : []), join(folder, '..', '..', 'samples', 'fashion')]
  return places.find((place) => existsSync(place)) ?? join(folder, '..', '..', 'samples', 'fashion')
}
