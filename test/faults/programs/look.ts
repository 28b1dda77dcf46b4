// Opens the application as somebody who may only look, and prints what it shows as one JSON line.
import { createApp } from '../../../core/app/app-context.ts'
import { failureOf } from '../../../contract/error.ts'

const app = createApp({
  host: 'cli',
  home: process.argv[2] ?? '',
  version: '0',
  spawnEngine: () => {
    throw new Error('nobody asked for an engine')
  },
})
const { history, experiments } = app.context
const runs = await experiments.list()
const refused = await history.write(() => undefined).then(() => null, failureOf)
process.stdout.write(
  `${JSON.stringify({ runs: runs.length, unopened: history.unopened, readOnly: history.readOnly?.code ?? null, message: history.readOnly?.message ?? null, refused })}\n`,
)
await app.close()
