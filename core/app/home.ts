import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

const folderName = 'hinm-bench'

/**
 * The folder that holds the history and everything else the app keeps, the same for the window, the server and the
 * command line. HINM_HOME sets it; otherwise it is the user's data folder of the platform. It need not exist yet.
 */
export function hinmHome(env: NodeJS.ProcessEnv = process.env, platform: NodeJS.Platform = process.platform, userHome = homedir()): string {
  if (env.HINM_HOME) return resolve(env.HINM_HOME)
  if (platform === 'win32') return join(env.APPDATA ?? join(userHome, 'AppData', 'Roaming'), folderName)
  if (platform === 'darwin') return join(userHome, 'Library', 'Application Support', folderName)
  return join(env.XDG_DATA_HOME ?? join(userHome, '.local', 'share'), folderName)
}

export const historyFile = (home: string): string => join(home, 'history.db')
