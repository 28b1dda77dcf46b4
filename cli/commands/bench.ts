import { readFileSync, writeFileSync } from 'node:fs'
import { Command, InvalidArgumentError } from 'commander'
import { AppError } from '../../contract/error.ts'
import { toJson } from '../../core/export/json.ts'
import { benchPatterns, parseShape } from '../../core/measure/bench-pattern.ts'
import { benchShape, denseBackends, type ShapeReport } from '../../core/measure/bench-shape.ts'
import { benchTable } from '../../core/measure/bench-table.ts'
import { finiteOnly } from '../../core/measure/finite.ts'
import { judge, pin, readPinned, type Outcome } from '../../core/measure/pinned.ts'
import { processorFacts } from '../../core/measure/processor-facts.ts'
import { defaultPlan } from '../../core/measure/sampling.ts'

/** What a script can tell: 2, for errors, is given by the program itself. */
export const benchExitCodes: Record<Outcome, number> = { fine: 0, regression: 1, unclear: 3 }

interface BenchOptions {
  shape: string[]
  patterns: string[]
  sparsity: number[]
  vector: number[]
  threads: number
  seconds: number
  seed: number
  caches: 'warm' | 'rotating' | 'cold'
  bfloat16?: boolean
  against?: string
  pin?: string
  json?: boolean
}

const list = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

const numberWithin =
  (low: number, high: number, whole: boolean) =>
  (text: string): number => {
    const value = Number(text)
    if (text.trim() === '' || !(value >= low && value <= high) || (whole && !Number.isInteger(value))) {
      throw new InvalidArgumentError(`Allowed is a ${whole ? 'whole ' : ''}number from ${low} to ${high}.`)
    }
    return value
  }

const percentages = (text: string): number[] => list(text).map((part) => numberWithin(0, 99.999, false)(part) / 100)
const heights = (text: string): number[] => list(text).map(numberWithin(1, 65_536, true))
const cacheState = (text: string): BenchOptions['caches'] => {
  if (text === 'warm' || text === 'rotating' || text === 'cold') return text
  throw new InvalidArgumentError('Allowed are warm, rotating and cold.')
}

async function measure(options: BenchOptions): Promise<ShapeReport[]> {
  const stop = new AbortController()
  const onInterrupt = (): void => {
    stop.abort(new AppError('CANCELLED', 'The benchmark was interrupted.'))
  }
  process.once('SIGINT', onInterrupt)
  const plan = { ...defaultPlan, limitSeconds: options.seconds }
  const work = options.shape.map(parseShape).map((shape) => ({
    shape,
    patterns: benchPatterns(options.patterns, options.sparsity, options.vector, shape, options.bfloat16 ? 'bfloat16' : 'float32'),
  }))
  const reports: ShapeReport[] = []
  try {
    for (const { shape, patterns } of work) {
      const settings = { threads: options.threads, seed: options.seed, caches: options.caches, plan, baselines: denseBackends }
      const report = await benchShape(shape, patterns, settings, stop.signal)
      if (!options.json) process.stdout.write(`${benchTable(report)}\n\n`)
      reports.push(report)
    }
  } finally {
    process.removeListener('SIGINT', onInterrupt)
  }
  return reports
}

function readPinnedFile(path: string): ReturnType<typeof readPinned> {
  try {
    return readPinned(readFileSync(path, 'utf8'))
  } catch (thrown) {
    if (thrown instanceof AppError) throw thrown
    throw new AppError('FILE_NOT_READABLE', `The pinned baseline "${path}" cannot be read; write one with --pin first.`, { cause: thrown })
  }
}

/** `hinm bench`: times random layers of a shape on this machine's processor. */
export const benchCommand = (): Command =>
  new Command('bench')
    .description('time sparse products of a shape against the fastest dense library')
    .requiredOption('--shape <MxKxN,…>', 'output channels x input channels x activation columns', list)
    .option('--patterns <names>', 'hinm, vector, venom and any n:m such as 2:4', list, ['hinm'])
    .option('--sparsity <percent,…>', 'total shares pruned, for the patterns that are asked by it', percentages, [0.75])
    .option('--vector <V,…>', 'heights of a tile', heights, [64])
    .option('--threads <n>', 'threads of every contestant', numberWithin(1, 1024, true), 1)
    .option('--seconds <s>', 'sampling time of a shape at most', numberWithin(0.1, 3600, false), defaultPlan.limitSeconds)
    .option('--seed <n>', 'of weights and activations', numberWithin(0, Number.MAX_SAFE_INTEGER, true), 1)
    .option('--caches <state>', 'warm, rotating (operand sets of twice the last-level cache) or cold', cacheState, 'warm')
    .option('--bfloat16', 'store the sparse weights in bfloat16')
    .option('--against <file>', 'compare with speed-ups pinned before')
    .option('--pin <file>', 'write the speed-ups as the pinned baseline')
    .option('--json', 'print JSON with all samples instead of the tables')
    .addHelpText('after', '\nExit codes: 0 fine, 1 regression against the pinned baseline or a wrong result, 2 error, 3 unclear.')
    .action(async (options: BenchOptions) => {
      const pinned = options.against === undefined ? null : readPinnedFile(options.against)
      const reports = await measure(options)
      const { outcome, sentences } = judge(reports, pinned)
      if (options.json) process.stdout.write(`${toJson(finiteOnly({ schema: 'hinm-bench/1', environment: processorFacts(), outcome, sentences, reports }))}\n`)
      else for (const sentence of sentences) process.stdout.write(`${sentence}\n`)
      if (options.pin !== undefined) writeFileSync(options.pin, `${toJson(pin(reports))}\n`)
      process.exitCode = benchExitCodes[outcome]
    })
