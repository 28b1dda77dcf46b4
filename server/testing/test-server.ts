import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp, type App } from '../../core/app/app-context.ts'
import { fakeEngines, twoModels, type Behaviour } from '../../core/experiment/testing/fake-engine.ts'
import { serve, type Served } from '../serve.ts'

export interface TestServer extends Served {
  app: App
  origin: string
  /** What the host would write to its own log. */
  faults: unknown[]
  /** Opens the printed link as a browser does. */
  login: () => Promise<string>
  end: () => Promise<void>
}

/** The real server on engines that answer by a script, with a page of one file. */
export async function testServer(behaviour: () => Behaviour = () => 'answer', port = 0): Promise<TestServer> {
  const home = mkdtempSync(join(tmpdir(), 'hinm-server-'))
  writeFileSync(join(home, 'index.html'), '<!doctype html><title>page</title>')
  const faults: unknown[] = []
  const app = createApp({
    host: 'server',
    home,
    version: '1.2.3',
    spawnEngine: fakeEngines(twoModels(), behaviour).spawn,
    report: (fault) => faults.push(fault),
  })
  const served = await serve({ context: app.context, folder: home, port })
  const origin = `http://127.0.0.1:${served.port}`
  return {
    ...served,
    app,
    origin,
    faults,
    async login() {
      const response = await fetch(served.url, { redirect: 'manual' })
      return response.headers.get('set-cookie')!.split(';')[0]!
    },
    async end() {
      await served.close()
      await app.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
