import { mount, type VueWrapper } from '@vue/test-utils'
import { createPinia } from 'pinia'
import type { Component } from 'vue'
import { clientKey, hostKey, type Client } from '../client.ts'
import type { Host } from '../host/host.ts'
import { makeRouter } from '../router.ts'

export interface MountedPage {
  wrapper: VueWrapper
  router: ReturnType<typeof makeRouter>
}

const host: Host = { kind: 'browser', onCommand: () => undefined }

/** A page or component on a client, with stores and router of its own. */
export async function mountPage(component: Component, client: Client, props: Record<string, unknown> = {}, place = '/devices'): Promise<MountedPage> {
  const router = makeRouter()
  await router.push(place)
  const wrapper = mount(component, {
    props,
    attachTo: document.body,
    global: { plugins: [createPinia(), router], provide: { [clientKey as symbol]: client, [hostKey as symbol]: host } },
  }) as VueWrapper
  return { wrapper, router }
}
