// Training benchmarks: steps of the labs on three product back ends, what masks cost in one honest step, and Lab A's bands.
//   npm run bench -- training [--lab-b] [--seeds 8] [--threads 1]
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import type { LabId, TrainingMethodId, TrainingResult } from '../contract/training.ts'
import { median } from '../core/measure/median.ts'
import { labById, type LabData } from '../core/training/labs.ts'
import { textTokens } from '../core/training/text-tokens.ts'
import { trainingSweep } from '../core/training/training-sweep.ts'
import { createTraining, methodDefaults, runTraining, stepCost, trainingEngine, type Backend } from '../native/training.ts'

const { values: options } = parseArgs({
  options: { 'lab-b': { type: 'boolean', default: false }, seeds: { type: 'string', default: '8' }, threads: { type: 'string', default: '1' } },
})
const threads = Number(options.threads)
const dataFolder = process.env.HINM_DATA ?? join(import.meta.dirname, '..', '..', 'shared', 'data')

/** Acceptance bands: mean and deviation of the normalised test error over 8 seeds, and held-out loss over 6 (TRAINING: section 3). */
const bands: Partial<Record<LabId, Partial<Record<TrainingMethodId, [mean: number, deviation: number]>>>> = {
  'lab-a': {
    dense: [0.09, 0.01],
    's-ste': [0.128, 0.013],
    'sr-ste-2e-4': [0.2, 0.021],
    'sr-ste-2e-3': [0.127, 0.012],
    'sr-ste-2e-2': [0.125, 0.013],
    ste: [0.22, 0.019],
    'half-width': [0.151, 0.016],
    's-ste-one': [0.139, 0.014],
  },
  'lab-b': {
    dense: [1.785, 0.003],
    's-ste': [1.8, 0.006],
    'sr-ste-2e-4': [1.802, 0.008],
    'sr-ste-2e-2': [1.8, 0.007],
    ste: [1.809, 0.01],
    'half-width': [1.809, 0.009],
    's-ste-one': [1.847, 0.014],
  },
}
/** Signs of the paired differences against S-STE that Lab A must show. */
const signs: Partial<Record<TrainingMethodId, 1 | -1>> = {
  ste: 1,
  'sr-ste-2e-4': 1,
  'half-width': 1,
  's-ste-one': 1,
  dense: -1,
  'sr-ste-2e-2': -1,
}

const text = (): LabData => textTokens(gunzipSync(readFileSync(join(dataFolder, 'shakespeare', 'tinyshakespeare.txt.gz'))).toString('utf8'))

/** CPU milliseconds that a piece of work took: neighbours on the machine change it less than wall time. */
async function cpuMilliseconds(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const show = (value: number | null, digits = 3): string => (value === null ? '–' : value.toFixed(digits))
const line = (cells: string[]): void => {
  console.log(cells.map((cell, i) => (i === 0 ? cell.padEnd(20) : cell.padStart(12))).join(' '))
}

/** The same steps on every back end, interleaved round by round. */
async function backEnds(lab: LabId, data: LabData, steps: number, rounds: number): Promise<void> {
  const definition = labById(lab)
  const names: Backend[] = trainingEngine().openBlas ? ['tiled', 'openblas', 'naive'] : ['tiled', 'naive']
  const samples = new Map<Backend, number[]>(names.map((name) => [name, []]))
  for (let round = 0; round < rounds; round += 1) {
    for (const backend of names) {
      const session = createTraining({
        lab: definition.request(data, false),
        method: { ...methodDefaults, kind: 's-ste' },
        optimizer: definition.optimizer,
        seed: round,
        steps,
        diagnoseEvery: 0,
        diagnoseHeldOut: false,
        firstDataStep: 0,
        threads: 1,
        backend,
        reference: false,
      })
      samples.get(backend)?.push((await cpuMilliseconds(() => runTraining(session, steps))) / steps)
    }
  }
  const own = median(samples.get('tiled') ?? []) ?? NaN
  for (const [name, list] of samples) {
    const typical = median(list) ?? NaN
    line([`${lab} ${name}`, `${show(typical)} ms`, `${show(typical / own, 2)}×`])
  }
}

/** Share of an honest step (everything, synchronised) that projection, mask and compression take. */
async function maskCost(): Promise<void> {
  for (const [name, settings] of [
    ['ste', { kind: 'ste' }],
    ['s-ste', { kind: 's-ste' }],
    ['s-ste + mvue', { kind: 's-ste', gradientSampler: 'approximate' }],
    ['s-ste + mvue + fp8', { kind: 's-ste', gradientSampler: 'approximate', fp8: true }],
    ['transposable (every step)', { kind: 'transposable', refreshEvery: 1, denseEnd: 0 }],
  ] as const) {
    const cost = await stepCost({ rows: 1024, cols: 4096, tokens: 512, repeats: 5, method: { ...methodDefaults, ...settings }, threads, backend: 'tiled' })
    const [project, compress, products, update] = [cost.project, cost.compress, cost.products, cost.update].map((list) => median(list) ?? NaN)
    const whole = project! + compress! + products! + update!
    line([name, show(project!, 1), show(compress!, 1), show(products!, 1), show(update!, 1), `${show((100 * (project! + compress!)) / whole, 1)} %`])
  }
}

function report(result: TrainingResult): boolean {
  let fine = true
  line(['method', 'mean', 'deviation', 'band', 'inside', 'flips last', 'wrong way', 'correlation'])
  for (const { method, loss, lossDeviation, flipsLast, wrongDirection, correlation } of result.methods) {
    const band = bands[result.lab]?.[method]
    const tolerance = result.lab === 'lab-b' ? 2 : 1
    const inside = band && loss !== null ? Math.abs(loss - band[0]) <= tolerance * band[1] : null
    if (inside === false) fine = false
    const bandText = band ? `${band[0]}±${band[1]}` : ''
    line([
      method,
      show(loss, 4),
      show(lossDeviation, 4),
      bandText,
      inside === null ? '' : inside ? 'yes' : 'NO',
      show(flipsLast, 5),
      show(wrongDirection),
      show(correlation, 2),
    ])
  }
  console.log(`\npaired against ${result.differences[0]?.reference ?? 'nothing'} (95 % t-interval, ${result.comparisons} comparisons)`)
  for (const { method, mean, half, pairs, higher, verdict } of result.differences) {
    const sign = result.lab === 'lab-a' ? signs[method] : undefined
    const right = sign === undefined || mean === null ? null : Math.sign(mean) === sign
    if (right === false) fine = false
    line([method, show(mean, 4), `± ${show(half, 4)}`, `${higher}/${pairs} higher`, verdict, right === null ? '' : right ? 'sign as wanted' : 'SIGN DIFFERS'])
  }
  return fine
}

async function bandTable(lab: LabId, methods: TrainingMethodId[], seeds: number, data: LabData): Promise<boolean> {
  const start = performance.now()
  let result: TrainingResult | undefined
  const cpu = await cpuMilliseconds(async () => {
    result = await trainingSweep({ lab, methods, seeds, reference: 's-ste', diagnoseEvery: 10, threads }, { data })
  })
  if (!result) return false
  const trained = result.runs.length
  console.log(
    `\n${lab}: ${result.steps} steps, ${seeds} seeds, ${threads} thread(s); ${show(cpu / 1000 / trained, 2)} CPU s a run, ${show((performance.now() - start) / 1000 / trained, 2)} wall s a run`,
  )
  const diagnostic = result.runs.reduce((sum, run) => sum + run.diagnosticSeconds, 0) / result.runs.reduce((sum, run) => sum + run.seconds, 0)
  console.log(`diagnoses every 10 steps take ${show(100 * diagnostic, 1)} % of the time`)
  return report(result)
}

const retraining: TrainingMethodId[] = ['prune-once', 'prune-retrain', 'dense-twice']
const ablations: TrainingMethodId[] = ['s-ste-dynamic', 'mvue-exact', 'mvue-approximate', 'mvue-greedy', 'mvue-weights', 'fp8', 'sr-ste-weight']

console.log(`product kernel ${trainingEngine().kernel}, OpenBLAS ${trainingEngine().openBlas ? 'present' : 'absent'}`)
console.log('\nCPU milliseconds a step, one thread, S-STE, medians of interleaved rounds; ratio to the own product')
await backEnds('lab-a', null, 400, 5)
await backEnds('lab-b', text(), 6, 3)
console.log(`\none layer of 1024 × 4096, 512 tokens, ${threads} thread(s): milliseconds of each part, and the share of masks`)
line(['method', 'project', 'compress', 'products', 'update', 'share'])
await maskCost()

let fine = await bandTable('lab-a', Object.keys(bands['lab-a'] ?? {}) as TrainingMethodId[], Number(options.seeds), null)
await bandTable('lab-a', ['s-ste', 'dense', ...retraining, ...ablations], 3, null)
if (options['lab-b']) fine = (await bandTable('lab-b', Object.keys(bands['lab-b'] ?? {}) as TrainingMethodId[], 6, text())) && fine
console.log(fine ? '\nall means are inside their bands, with the signs wanted' : '\nsome mean is outside its band or has another sign')
process.exitCode = fine ? 0 : 1
