// Permutation strategies at equal CPU time: each strategy's evaluation budget is calibrated on the layer first, then the
// budgets are fixed and every strategy runs with the same seeds, one thread, the strategies interleaved.
//   npm run bench:search -- [--layers regex] [--patterns hinm] [--sparsities 0.75] [--vectors 32] [--seconds 0.05,0.5]
//                           [--strategies a,b] [--seeds 5] [--json file]
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { expandPattern, patternName, type Pattern } from '../contract/pattern.ts'
import { strategyIds } from '../contract/strategy.ts'
import { nativePattern, refusal } from '../core/sparsity/native-pattern.ts'
import { buildInfo } from '../native/addon.ts'
import type { SearchRequest } from '../native/permutation.ts'
import { buildMask, measureQuality, saliency } from '../native/sparsity.ts'
import { calibratedBudget, timedSearch, type SearchOutcome } from './search/equal-time.ts'
import { benchLayers, type BenchLayer } from './search/layers.ts'
import { deviation, mean, pairedDifference } from './search/paired.ts'

const { values: options } = parseArgs({
  options: {
    layers: { type: 'string', default: 'fashion-mlp/|g2p/enc_w_ih|use-lite/.*qkv|magika/' },
    patterns: { type: 'string', default: 'hinm' },
    sparsities: { type: 'string', default: '0.75' },
    vectors: { type: 'string', default: '32' },
    seconds: { type: 'string', default: '0.05,0.5' },
    strategies: { type: 'string', default: 'gyro-plus,gyro-iterated,row-swaps,gyro,ovw-gyro-input,tetris-gyro-input,tetris' },
    seeds: { type: 'string', default: '5' },
    json: { type: 'string' },
  },
})
const numbers = (list: string): number[] => list.split(',').map(Number)
const strategies = options.strategies.split(',')
const unknown = strategies.find((id) => !(strategyIds as string[]).includes(id))
if (unknown !== undefined) {
  console.error(`There is no strategy "${unknown}"; known are ${strategyIds.join(', ')}.`)
  process.exit(2)
}
const seeds = Array.from({ length: Number(options.seeds) }, (_, i) => i + 1)
/** Not among the seeds that are compared. */
const calibrationSeed = 1000

interface Row {
  model: string
  layer: string
  rows: number
  cols: number
  pattern: Pattern
  target: number
  none: number
  results: { strategy: string; budget: number; runs: (SearchOutcome & { seed: number; relative: number })[] }[]
}

/** RR of "none", and the saliency of the best unstructured mask of the same size. */
async function boundOf(request: SearchRequest): Promise<{ none: number; bound: number }> {
  const mask = await buildMask(request.scores, request.pattern, null)
  const { keptSaliency, relative } = await measureQuality(request.scores, request.pattern, null, mask)
  return { none: relative, bound: keptSaliency / relative }
}

async function compare(layer: BenchLayer, index: number, pattern: Pattern, target: number): Promise<Row> {
  const scores = { data: saliency('magnitude', layer.weights), rows: layer.rows, cols: layer.cols }
  const base: SearchRequest = { scores, pattern: nativePattern(pattern), strategy: 'none', budget: 0, seed: calibrationSeed, layer: index, threads: 1 }
  const { none, bound } = await boundOf(base)
  const results: Row['results'] = []
  for (const strategy of strategies) {
    const budget = await calibratedBudget({ ...base, strategy }, target, target * 1e6)
    results.push({ strategy, budget, runs: [] })
  }
  for (const seed of seeds) {
    for (const result of results) {
      const outcome = await timedSearch({ ...base, strategy: result.strategy, budget: result.budget, seed })
      result.runs.push({ seed, ...outcome, relative: outcome.kept / bound })
    }
  }
  return { model: layer.model, layer: layer.layer, rows: layer.rows, cols: layer.cols, pattern, target, none, results }
}

const digits = (value: number, count = 4): string => value.toFixed(count)

function markdownOf(row: Row): string {
  const [first, ...others] = row.results
  const relatives = (result: Row['results'][number]): number[] => result.runs.map((run) => run.relative)
  const cells = row.results.map((result) => {
    const seconds = mean(result.runs.map((run) => run.seconds))
    return `${result.strategy} ${digits(mean(relatives(result)))} ± ${digits(deviation(relatives(result)))} (${digits(seconds, 3)} s)`
  })
  const gains = others.map((other) => {
    const { mean: gain, half } = pairedDifference(relatives(first!), relatives(other))
    return `${gain >= 0 ? '+' : ''}${digits(gain)} ± ${digits(half)}`
  })
  const height = 'vector' in row.pattern ? ` V=${row.pattern.vector}` : ''
  return `| ${row.model}/${row.layer} ${row.rows}×${row.cols} | ${patternName(row.pattern)}${height} | ${row.target} | ${digits(row.none)} | ${cells.join(' | ')} | ${gains.join(' | ')} |`
}

const [leader, ...others] = strategies
const patterns = options.patterns.split(',').flatMap((name) => expandPattern(name, numbers(options.sparsities), numbers(options.vectors)))
const layers = await benchLayers(new RegExp(options.layers))
console.log(`Build: ${JSON.stringify(buildInfo())}; one thread; seeds ${seeds.join(', ')}; RR = retained saliency over the unstructured bound.\n`)
console.log(`| layer | pattern | target s | none | ${strategies.join(' | ')} | ${others.map((other) => `${leader} − ${other}`).join(' | ')} |`)
console.log(`|${'---|'.repeat(4 + strategies.length + others.length)}`)
const rows: Row[] = []
for (const pattern of patterns) {
  for (const target of numbers(options.seconds)) {
    for (const [index, layer] of layers.entries()) {
      if (refusal(pattern, layer.rows, layer.cols) !== null || ('vector' in pattern && layer.rows < 2 * pattern.vector)) continue
      const row = await compare(layer, index, pattern, target)
      rows.push(row)
      console.log(markdownOf(row))
      if (options.json) writeFileSync(options.json, JSON.stringify({ build: buildInfo(), rows }, null, 1))
    }
  }
}
for (const target of numbers(options.seconds)) {
  for (const other of others) {
    const gains = rows
      .filter((row) => row.target === target)
      .map(
        (row) =>
          mean(row.results[0]!.runs.map((run) => run.relative)) -
          mean(row.results.find((result) => result.strategy === other)!.runs.map((run) => run.relative)),
      )
      .sort((a, b) => a - b)
    if (gains.length === 0) continue
    const middle = (gains[Math.floor((gains.length - 1) / 2)]! + gains[Math.ceil((gains.length - 1) / 2)]!) / 2
    console.log(
      `${leader} − ${other} at ${target} s: median ${digits(middle)}, least ${digits(gains[0]!)}, layers where it is below 0: ${gains.filter((gain) => gain < 0).length} of ${gains.length}`,
    )
  }
}
