// A run on a disk that fills up, then the same history on the same disk with some space made. Prints one JSON line.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { RunSpec } from '../../../contract/run.ts'
import { createApp } from '../../../core/app/app-context.ts'
import { fakeEngines, twoModels } from '../../../core/experiment/testing/fake-engine.ts'

const home = process.argv[2] ?? ''
const ballast = join(home, 'ballast')
writeFileSync(ballast, Buffer.alloc(600_000))
const app = createApp({ host: 'cli', home, version: '0', spawnEngine: fakeEngines(twoModels(), () => 'answer').spawn })
const { experiments, history } = app.context
const seeds = Array.from({ length: 2000 }, (_, index) => index)
const id = await experiments.start(v.parse(RunSpec, { project: '/projects/two', models: ['small'], patterns: ['2:4'], strategies: ['gyro'], seeds }))
let told: unknown
for await (const event of experiments.watch(id, 0)) if (event.type === 'ended') told = { status: event.status, reason: event.reason }
const kept = history.cases.ofRun(id).filter(({ status }) => status === 'done').length

rmSync(ballast)
await experiments.list()
const run = await experiments.get(id)
const problems = history.maintenance.problems()
process.stdout.write(`${JSON.stringify({ told, kept, status: run.status, keptAfter: run.counts.done, problems })}\n`)
await app.close()
