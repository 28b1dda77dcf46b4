import { Command } from 'commander'
import { resolve } from 'node:path'
import type { Project } from '../../contract/task.ts'
import type { RunRequest } from '../../contract/run.ts'
import { corrections, saliencies } from '../../contract/saliency.ts'
import { strategies } from '../../contract/strategy.ts'
import { follow } from '../follow.ts'
import { number, numbers, words } from '../lists.ts'
import { printRun } from '../print-run.ts'
import { withApp } from '../with-app.ts'

interface RunOptions {
  models?: string[]
  patterns?: string[]
  sparsity?: number[]
  vector?: number[]
  strategies?: string[]
  saliency?: string[]
  correction?: string[]
  seeds?: number[]
  budget?: number
  threads?: number
  columns?: number
  timing: boolean
  accuracy: boolean
  json?: boolean
  layers?: boolean
}

const ids = (entries: readonly { id: string }[]): string => entries.map(({ id }) => id).join(', ')

/** `hinm run`: plans a grid of cases, runs it, keeps it in the history and prints the table. */
export const runCommand = (): Command =>
  new Command('run')
    .description('prune, time and judge the models of a project; the result is kept in the history')
    .argument('<project>', 'a project folder, a project.json or a *.task.json')
    .option('--models <names>', 'tasks to use (default: all)', words)
    .option('--patterns <names>', 'dense, 2:4, hinm, vector, unstructured … (default: those of the project)', words)
    .option('--sparsity <percents>', 'total sparsities, such as 75,87.5', numbers)
    .option('--vector <heights>', 'V, output channels a tile', numbers)
    .option('--strategies <names>', ids(strategies), words)
    .option('--saliency <names>', ids(saliencies), words)
    .option('--correction <names>', ids(corrections), words)
    .option('--seeds <numbers>', 'one case a seed for every strategy that draws', numbers)
    .option('--budget <evaluations>', "candidate evaluations a layer (default: the strategy's own stopping rule)", number)
    .option('--threads <count>', 'threads of search, kernels and accuracy', number)
    .option('--columns <count>', 'N, activation columns of the timed products', number)
    .option('--no-timing', 'do not time kernels')
    .option('--no-accuracy', 'do not measure accuracy')
    .option('--layers', 'a row for every layer too')
    .option('--json', 'print one JSON object instead of the table')
    .action(async (path: string, options: RunOptions) => {
      process.exitCode = await withApp(async (api) => {
        const project = resolve(path)
        const view = await api.projects.open({ path: project })
        const { id } = await api.runs.start(requestOf(project, view.project, options))
        await follow(api, id)
        return await printRun(api, id, options)
      })
    })

/** What was typed, then what the project proposes, then what the contract takes when nobody says anything. */
function requestOf(path: string, project: Project, options: RunOptions): RunRequest {
  const { defaults } = project
  const request = {
    project: path,
    models: options.models,
    patterns: options.patterns ?? defaults.patterns ?? ['dense', '2:4', 'hinm'],
    sparsities: options.sparsity ?? defaults.sparsities,
    vectors: options.vector ?? defaults.vectors,
    strategies: options.strategies ?? defaults.strategies,
    saliencies: options.saliency,
    corrections: options.correction,
    seeds: options.seeds,
    budget: options.budget,
    threads: options.threads,
    columns: options.columns,
    timing: options.timing,
    accuracy: options.accuracy,
  }
  // The contract checks names and ranges, with the same sentences for every face.
  return request as RunRequest
}
