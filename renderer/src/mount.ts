import { createPinia } from 'pinia'
import { createApp, type App as VueApp } from 'vue'
import App from './App.vue'
import { clientKey, hostKey } from './client.ts'
import type { HostConnection } from './host/host.ts'
import { makeRouter } from './router.ts'

/** The application on a connection, ready to be put on a page. */
export function makeApp({ client, host }: HostConnection): VueApp {
  return createApp(App).provide(clientKey, client).provide(hostKey, host).use(createPinia()).use(makeRouter())
}
