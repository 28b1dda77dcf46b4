import { Command } from 'commander'
import * as v from 'valibot'
import { AppError } from '../../contract/error.ts'
import {
  labs,
  trainingMethods,
  TrainingSpec,
  type MethodSummary,
  type PairedDifference,
  type TrainingEvent,
  type TrainingResult,
} from '../../contract/training.ts'
import { openTrainingData } from '../../core/engine/training-data.ts'
import { toJson } from '../../core/export/json.ts'
import { trainingSweep } from '../../core/training/training-sweep.ts'
import { exitCodes, type ExitCode } from '../exit.ts'
import { number, words } from '../lists.ts'
import { textTable, type Column } from '../text-table.ts'

interface TrainOptions {
  methods?: string[]
  seeds?: number
  steps?: number
  reference?: string
  threads?: number
  every?: number
  text?: string
  images?: string
  json?: boolean
}

const ids = (entries: readonly { id: string }[]): string => entries.map(({ id }) => id).join(', ')

/** `hinm train`: trains methods side by side with paired seeds and says which claims of the papers the numbers bear out. */
export const trainCommand = (): Command =>
  new Command('train')
    .description('train sparse methods side by side; verdicts are computed from paired seeds')
    .argument('<lab>', ids(labs))
    .option('--methods <names>', ids(trainingMethods), words)
    .option('--seeds <count>', 'seeds a method, fixed before looking (default: 8, 6 and 3 for the labs)', number)
    .option('--steps <count>', "steps of a run (default: the lab's own)", number)
    .option('--reference <method>', 'the method that the others are compared with (default: s-ste)')
    .option('--every <steps>', 'steps between two diagnoses of the three drawbacks, 0 for none', number)
    .option('--threads <count>', 'threads; the result is the same for any number', number)
    .option('--text <file>', 'the text of lab-b, UTF-8 (default: the sample text)')
    .option('--images <folder>', 'the four IDX files of lab-c (default: the system’s Fashion-MNIST)')
    .option('--json', 'print one JSON object instead of the tables')
    .action(async (lab: string, options: TrainOptions) => {
      process.exitCode = await train(specOf(lab, options), options)
    })

function specOf(lab: string, options: TrainOptions): TrainingSpec {
  const parsed = v.safeParse(TrainingSpec, {
    lab,
    methods: options.methods ?? ['dense', 's-ste', 'sr-ste-2e-4', 'ste', 'half-width'],
    seeds: options.seeds,
    steps: options.steps,
    reference: options.reference,
    diagnoseEvery: options.every,
    threads: options.threads,
  })
  if (parsed.success) return parsed.output
  throw new AppError('INVALID_ARGUMENT', parsed.issues[0].message)
}

async function train(spec: TrainingSpec, options: TrainOptions): Promise<ExitCode> {
  const data = await openTrainingData(spec.lab, options)
  const abort = new AbortController()
  const onInterrupt = (): void => {
    if (abort.signal.aborted) process.kill(process.pid, 'SIGKILL')
    process.stderr.write('stopping between two steps; press Ctrl-C again to end at once\n')
    abort.abort()
  }
  process.on('SIGINT', onInterrupt)
  process.on('SIGTERM', onInterrupt)
  try {
    const result = await trainingSweep(spec, { data, signal: abort.signal, onEvent: tell })
    process.stdout.write(options.json ? `${toJson(result)}\n` : `${tables(result)}\n`)
    return abort.signal.aborted || result.runs.some((run) => run.failure !== null) ? exitCodes.failed : exitCodes.done
  } finally {
    process.off('SIGINT', onInterrupt)
    process.off('SIGTERM', onInterrupt)
  }
}

/** One line on stderr for every run that ended. */
function tell(event: TrainingEvent): void {
  if (event.type !== 'run-finished') return
  const { run, result } = event
  const outcome = run.failure ?? `${figure(run.loss, 4)} ${result.unit} in ${run.seconds.toFixed(1)} s`
  process.stderr.write(`[${result.runs.length}/${result.methods.length * result.plannedSeeds}] ${run.method}, seed ${run.seed}: ${outcome}\n`)
}

const figure = (value: number | null, digits: number): string => (value === null ? '' : value.toFixed(digits))
const percent = (value: number | null, digits: number): string => (value === null ? '' : `${(value * 100).toFixed(digits)} %`)

const methodColumns: Column<MethodSummary>[] = [
  { heading: 'Method', align: 'left', text: ({ method }) => method },
  { heading: 'Seeds', align: 'right', text: ({ seeds }) => String(seeds) },
  { heading: 'Loss', align: 'right', text: ({ loss }) => figure(loss, 4) },
  { heading: '± sd', align: 'right', text: ({ lossDeviation }) => figure(lossDeviation, 4) },
  { heading: 'Accuracy', align: 'right', text: ({ accuracy }) => percent(accuracy, 2) },
  { heading: 'Flips at the end', align: 'right', text: ({ flipsLast }) => percent(flipsLast, 3) },
  { heading: 'Wrong direction', align: 'right', text: ({ wrongDirection }) => percent(wrongDirection, 1) },
  { heading: 'Prediction r', align: 'right', text: ({ correlation }) => figure(correlation, 2) },
]

const verdictText: Record<PairedDifference['verdict'], string> = {
  confirmed: 'confirmed',
  opposite: 'opposite sign',
  'not-decidable': 'not decidable',
  measured: 'no claim',
}

const differenceColumns: Column<PairedDifference>[] = [
  { heading: 'Against', align: 'left', text: ({ method, reference }) => `${method} − ${reference}` },
  { heading: 'Difference', align: 'right', text: ({ mean }) => figure(mean, 4) },
  { heading: '± 95 %', align: 'right', text: ({ half }) => figure(half, 4) },
  { heading: 'Pairs', align: 'right', text: ({ pairs }) => String(pairs) },
  { heading: 'Claimed', align: 'left', text: ({ claim }) => claim ?? '' },
  { heading: 'Verdict', align: 'left', text: ({ verdict, complete }) => `${verdictText[verdict]}${complete ? '' : ' (provisional)'}` },
]

function tables(result: TrainingResult): string {
  const parts = [textTable(methodColumns, result.methods)]
  if (result.differences.length > 0) {
    parts.push(textTable(differenceColumns, result.differences))
    parts.push(`${result.comparisons} comparisons; a 95 % interval excludes zero by chance in one of twenty.`)
  }
  parts.push(...result.notes)
  return parts.join('\n\n')
}
