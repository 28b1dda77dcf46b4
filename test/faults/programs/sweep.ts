// A sweep of quick cases in an application of its own, to be killed at any moment. Goes on where the last one stopped,
// and prints the id of every case once it counts as finished.
import * as v from 'valibot'
import { RunSpec } from '../../../contract/run.ts'
import { createApp } from '../../../core/app/app-context.ts'
import { fakeEngines, twoModels } from '../../../core/experiment/testing/fake-engine.ts'

const home = process.argv[2] ?? ''
const seeds = Array.from({ length: 150 }, (_, index) => index)
const spec = v.parse(RunSpec, {
  project: '/projects/two',
  models: ['small'],
  patterns: ['2:4', 'hinm'],
  sparsities: [60, 75, 87.5],
  strategies: ['gyro'],
  seeds,
})

const spawnEngine = fakeEngines(
  twoModels(),
  () => 'answer',
  () => 1 + Math.random() * 8,
).spawn
const app = createApp({ host: 'cli', home, version: '0', spawnEngine })
if (app.context.history.readOnly) throw app.context.history.readOnly
const { experiments } = app.context

const [known] = await experiments.list()
const after = known ? (await experiments.get(known.id)).lastSeq : 0
const id = known ? await experiments.resume(known.id) : await experiments.start(spec)
process.stdout.write('ready\n')
for await (const event of experiments.watch(id, after)) {
  if (event.type === 'case-finished') process.stdout.write(`${event.case.id}\n`)
}
process.stdout.write('end\n')
await app.close()
