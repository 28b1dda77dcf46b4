import { createRouterClient, type RouterClient } from '@orpc/server'
import { createApp } from '../core/app/app-context.ts'
import { hinmHome } from '../core/app/home.ts'
import { router } from '../core/app/router.ts'
import { appVersion } from '../core/app/version.ts'
import { spawnNode } from '../core/engine/spawn-node.ts'

export type Api = RouterClient<typeof router>

/** Opens the application, lets `work` use it through the contract like any other face, and closes it. */
export async function withApp<T>(work: (api: Api) => Promise<T>): Promise<T> {
  const app = createApp({ host: 'cli', home: hinmHome(), spawnEngine: spawnNode(), version: appVersion() })
  try {
    return await work(createRouterClient(router, { context: app.context }))
  } finally {
    await app.close()
  }
}
