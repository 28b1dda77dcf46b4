// Does retained saliency predict accuracy? Every strategy × saliency × correction on real models, with intervals.
//   npm run bench:accuracy            all seven pairs (hours)
//   npm run bench -- accuracy         fashion-mlp only
//   … [--pairs g2p,magika] [--strategies none,gyro] [--saliency magnitude,std] [--sparsity 75,87.5] [--vector 32] [--out accuracy.md]
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { metricInfo } from '../contract/metric.ts'
import type { Report, ReportCase } from '../contract/report.ts'
import { taskMetrics } from '../contract/task.ts'
import type { Task } from '../contract/task.ts'
import { wilson } from '../core/accuracy/compare-right-wrong.ts'
import { rankCorrelation } from '../core/accuracy/rank-correlation.ts'
import { loadProject } from '../core/accuracy/task-file.ts'

const root = join(import.meta.dirname, '..')
const allPairs = ['fashion-mlp', 'fashion-cnn', 'g2p', 'magika', 'use-lite', 'ocr', 'shakespeare']
const { values: options } = parseArgs({
  options: {
    pairs: { type: 'string', default: 'fashion-mlp' },
    strategies: { type: 'string', default: 'none,gyro-input,gyro,gyro-plus' },
    saliency: { type: 'string', default: 'magnitude,std,second-order' },
    sparsity: { type: 'string', default: '75,87.5' },
    vector: { type: 'string', default: '32' },
    threads: { type: 'string', default: '2' },
    out: { type: 'string', default: '' },
  },
})

/** One pair through the application's own command, with a history of its own. */
async function measured(pair: string, home: string): Promise<ReportCase[]> {
  const args = ['--patterns', 'dense,hinm', '--sparsity', options.sparsity, '--vector', options.vector, '--strategies', options.strategies]
  const more = ['--saliency', options.saliency, '--correction', 'none,bias,update', '--threads', options.threads, '--no-timing', '--json']
  const command = [join(root, 'cli', 'hinm.mjs'), 'run', join(root, 'test', 'tasks', `${pair}.task.json`), ...args, ...more]
  const { stdout } = await promisify(execFile)(process.execPath, command, { env: { ...process.env, HINM_HOME: home }, maxBuffer: 2 ** 30 })
  return (JSON.parse(stdout) as Report).cases.filter((one) => one.layer === null)
}

const header = '| sparsity | strategy | saliency | correction | accuracy | 95 % interval | relative saliency |'

function row(one: ReportCase, metric: (typeof taskMetrics)[Task['metric']]): string {
  const value = one.metrics[metric]?.value ?? null
  const { digits, unit } = metricInfo(metric)
  const count = one.metrics['accuracy.samples']?.value ?? 0
  const [low, high] = unit === '%' && value !== null ? wilson(Math.round((value / 100) * count), count).map((end) => (100 * end).toFixed(1)) : ['', '']
  const relative = one.metrics['saliency.relative']?.value
  const cells = [
    one.pattern === 'dense' ? 'dense' : `${one.sparsityAsked} %`,
    one.strategy,
    one.saliency,
    one.correction,
    value === null ? `– (${one.reason ?? one.status})` : value.toFixed(digits),
    low === '' ? '' : `${low} – ${high}`,
    relative === null || relative === undefined ? '' : relative.toFixed(4),
  ]
  return `| ${cells.join(' | ')} |`
}

/** Spearman's correlation of relative saliency and accuracy over strategies and saliencies, for each sparsity and correction. */
function predictions(cases: readonly ReportCase[], metric: (typeof taskMetrics)[Task['metric']]): string[] {
  const sign = metricInfo(metric).direction === 'down' ? -1 : 1
  const groups = Map.groupBy(
    cases.filter((one) => one.pattern !== 'dense' && one.status === 'done'),
    (one) => `${one.sparsityAsked} %, correction ${one.correction}, ${one.saliency}`,
  )
  return [...groups].map(([name, members]) => {
    const points = members.flatMap((one) => {
      const [saliency, accuracy] = [one.metrics['saliency.relative']?.value ?? null, one.metrics[metric]?.value ?? null]
      return saliency === null || accuracy === null ? [] : [[saliency, sign * accuracy] as const]
    })
    const correlation = rankCorrelation(
      points.map(([saliency]) => saliency),
      points.map(([, accuracy]) => accuracy),
    )
    return `- ${name}: ${correlation === null ? 'not defined (too few or equal values)' : `rank correlation ${correlation.toFixed(2)} over ${points.length} strategies`}`
  })
}

async function page(pair: string, home: string): Promise<string> {
  const cases = await measured(pair, home)
  const { project } = await loadProject(join(root, 'test', 'tasks', `${pair}.task.json`))
  const metric = taskMetrics[project.tasks[0]!.metric]
  return [
    `## ${pair}: ${metricInfo(metric).label}`,
    '',
    header,
    header.replaceAll(/[^|]+/g, ' --- '),
    ...cases.map((one) => row(one, metric)),
    '',
    'Does retained saliency predict accuracy?',
    '',
    ...predictions(cases, metric),
    '',
  ].join('\n')
}

const home = await mkdtemp(join(tmpdir(), 'hinm-accuracy-'))
try {
  const pages: string[] = []
  for (const pair of options.pairs === 'all' ? allPairs : options.pairs.split(',')) {
    pages.push(await page(pair, home))
    console.log(pages.at(-1))
  }
  if (options.out !== '') await writeFile(options.out, ['# Accuracy after pruning', '', ...pages].join('\n'))
} finally {
  await rm(home, { recursive: true })
}
