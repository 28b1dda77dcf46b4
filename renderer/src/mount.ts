import { createPinia } from 'pinia'
import { createApp, type App as VueApp } from 'vue'
import App from './App.vue'
import { clientKey, type Client } from './client.ts'
import { makeRouter } from './router.ts'

/** The application on a client, ready to be put on a page. */
export function makeApp(client: Client): VueApp {
  return createApp(App).provide(clientKey, client).use(createPinia()).use(makeRouter())
}
