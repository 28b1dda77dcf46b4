import { buildInfo } from '../native/addon.ts'
import { geometricMean } from '../core/measure/statistics.ts'
import { benchPatterns, parseShape, type BenchPattern } from '../core/measure/bench-pattern.ts'
import { benchShape, denseBackends, type ShapeReport } from '../core/measure/bench-shape.ts'
import { benchTable } from '../core/measure/bench-table.ts'
import { processorFacts } from '../core/measure/processor-facts.ts'
import { defaultPlan } from '../core/measure/sampling.ts'

/**
 * The CPU kernels on the shapes that the project promises, against the faster dense library, each contestant in its own
 * process. `npm run bench:kernels -- [threads] [seconds a shape] [part of a shape's name]`.
 */

/** Promised speed-ups at 2 threads and V = 64: [75 %, 87.5 %]. */
const promises: readonly (readonly [string, number, number])[] = [
  ['4096x4096x1', 2, 3.7],
  ['4096x4096x16', 3, 6],
  ['4096x4096x64', 3, 6],
  ['4096x4096x256', 2.8, 5.5],
  ['768x3072x128', 2.5, 5],
  ['3072x768x128', 2.5, 5],
  ['512x4608x196', 2.5, 5],
]

const [threadsText = '2', secondsText = '20', part = ''] = process.argv.slice(2)
const threads = Number(threadsText)
const limitSeconds = Number(secondsText)
if (!Number.isInteger(threads) || threads < 1 || !(limitSeconds > 0)) {
  console.error('Usage: npm run bench:kernels -- [threads, at least 1] [seconds a shape, above 0] [part of a shape]')
  process.exit(2)
}
const build = buildInfo()
if (build.type !== 'Release') {
  console.error(`The native module is a ${build.type} build; times of anything but a Release build say nothing. Run "npm run setup".`)
  process.exit(2)
}
for (const [name, { value, reason }] of Object.entries(processorFacts())) console.log(`${name}: ${value ?? `unknown, ${reason ?? ''}`}`)

const isHinm = (pattern: BenchPattern | null): pattern is BenchPattern => pattern?.label.startsWith('hinm') === true && pattern.valueType === 'float32'
const ratios: number[] = []
for (const [name, ...promised] of promises.filter(([shape]) => shape.includes(part))) {
  const shape = parseShape(name)
  const patterns = [
    ...benchPatterns(['hinm'], [0.75, 0.875], [64], shape),
    ...benchPatterns(['hinm'], [0.75], [64], shape, 'bfloat16'),
    ...benchPatterns(['2:4'], [0.5], [64], shape),
    ...benchPatterns(['vector'], [0.75], [64], shape),
  ]
  const report: ShapeReport = await benchShape(shape, patterns, {
    threads,
    seed: 1,
    caches: 'warm',
    plan: { ...defaultPlan, limitSeconds },
    baselines: denseBackends,
  })
  console.log(`\n${benchTable(report)}`)
  report.rows
    .filter(({ pattern }) => isHinm(pattern))
    .forEach(({ pattern, comparison }, index) => {
      const asked = promised[index] ?? NaN
      if (comparison) ratios.push(comparison.speedup)
      const reached = comparison
        ? `${comparison.speedup.toFixed(2)}× of ${asked}× promised: ${comparison.speedup >= asked ? 'reached' : 'MISSED'}`
        : 'not measured'
      console.log(`${pattern?.label ?? ''}: ${reached}`)
    })
}
const mean = geometricMean(ratios)
if (mean !== null) console.log(`\nGeometric mean of the HiNM speed-ups: ${mean.toFixed(2)}×`)
