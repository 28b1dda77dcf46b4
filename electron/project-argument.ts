import { resolve } from 'node:path'

/**
 * The project that the application was started with, if any: the first argument that is no switch. When it is not
 * packaged, the one before it is the application's own folder.
 */
export function projectArgument(commandLine: readonly string[], packaged: boolean, folder: string): string | null {
  const values = commandLine.slice(1).filter((argument) => !argument.startsWith('-'))
  const path = values[packaged ? 0 : 1]
  return path === undefined ? null : resolve(folder, path)
}
