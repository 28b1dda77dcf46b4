import { createRouterClient, type RouterClient } from '@orpc/server'
import { createApp } from '../core/app/app-context.ts'
import { hinmHome } from '../core/app/home.ts'
import { router } from '../core/app/router.ts'
import { appVersion } from '../core/app/version.ts'
import { spawnNode } from '../core/engine/spawn-node.ts'

export type Api = RouterClient<typeof router>

export interface WithAppOptions {
  /** Go on although the history cannot be opened; for the commands that mend it. */
  unopened?: boolean
}

/**
 * Opens the application, lets `work` use it through the contract like any other face, and closes it.
 * @throws AppError when the history cannot be opened; a history that can only be looked at is told of on stderr.
 */
export async function withApp<T>(work: (api: Api) => Promise<T>, { unopened = false }: WithAppOptions = {}): Promise<T> {
  const app = createApp({ host: 'cli', home: hinmHome(), spawnEngine: spawnNode(), version: appVersion() })
  const { history } = app.context
  try {
    if (history.unopened && !unopened) throw history.readOnly ?? new Error('the history was not opened')
    if (history.readOnly && !history.unopened) process.stderr.write(`hinm: ${history.readOnly.message}\n`)
    return await work(createRouterClient(router, { context: app.context }))
  } finally {
    await app.close()
  }
}
