import { Command, Option } from 'commander'
import { writeFile } from 'node:fs/promises'
import { exportFormats, type ExportFormat } from '../../contract/history.ts'
import { number } from '../lists.ts'
import { withApp } from '../with-app.ts'

const separators = { comma: ',', semicolon: ';', tab: '\t' } as const

interface ExportOptions {
  format: ExportFormat
  separator: keyof typeof separators
  output?: string
}

/** `hinm export`: a run as CSV, JSON or Markdown. */
export const exportCommand = (): Command =>
  new Command('export')
    .description('write a run as CSV, JSON or Markdown')
    .argument('<run>', 'its number, see "hinm list"', number)
    .addOption(new Option('--format <format>', 'of the text').choices(exportFormats).default('csv'))
    .addOption(new Option('--separator <separator>', 'between the cells of CSV').choices(Object.keys(separators)).default('comma'))
    .option('--output <file>', 'write into this file instead of stdout')
    .action(async (id: number, { format, separator, output }: ExportOptions) => {
      const { text } = await withApp((api) => api.runs.export({ id, format, separator: separators[separator] }))
      if (output === undefined) process.stdout.write(text)
      else await writeFile(output, text, { flag: 'wx' })
    })
