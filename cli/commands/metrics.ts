import { Command } from 'commander'
import { metrics, type MetricInfo } from '../../contract/metric.ts'
import { toJson } from '../../core/export/json.ts'
import { textTable } from '../text-table.ts'

const betterWhen = { up: 'higher', down: 'lower', neither: '' } as const

/** `hinm metrics`: every number that a result may carry, what it is and which way is better. */
export const metricsCommand = (): Command =>
  new Command('metrics')
    .description('explain every number that a result may carry')
    .option('--json', 'print JSON instead of the table')
    .action(({ json }: { json?: boolean }) => {
      const table = textTable<MetricInfo>(
        [
          { heading: 'Id', align: 'left', text: ({ id }) => id },
          { heading: 'Unit', align: 'left', text: ({ unit }) => unit },
          { heading: 'Better', align: 'left', text: ({ direction }) => betterWhen[direction] },
          { heading: 'Meaning', align: 'left', text: ({ meaning }) => meaning },
        ],
        metrics,
      )
      process.stdout.write(json ? `${toJson({ schema: 'hinm-metrics/1', metrics })}\n` : `${table}\n`)
    })
