import { join } from 'node:path'

/** Where the built page lies, seen from the folder of a host: `server/` in a clone, `out/server/` or `out/electron/` when bundled. */
export function pageFolder(hostFolder: string, fromSource: boolean): string {
  return fromSource ? join(hostFolder, '..', 'out', 'renderer') : join(hostFolder, '..', 'renderer')
}
