import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** The folder that holds this application's package.json, from source and from a bundle alike. */
function applicationFolder(): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder)
  return folder
}

/** `${HINM_DATA}`: the data folder, from the environment, else beside the clone. */
export const dataFolder = (): string => resolve(process.env.HINM_DATA ?? join(applicationFolder(), '..', 'shared', 'data'))

/** `${MODULES}`: the packages of the clone. */
const modulesFolder = (): string => join(applicationFolder(), 'node_modules')

/** Replaces the two names that a task may use for folders; other text stays. */
export function expandPath(path: string): string {
  return path.replaceAll('${HINM_DATA}', dataFolder).replaceAll('${MODULES}', modulesFolder)
}
