import { Command, Option } from 'commander'
import { writeFile } from 'node:fs/promises'
import { AppError } from '../../contract/error.ts'
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
      else await writeUnlessThere(output, text)
    })

/** @throws AppError when the file is there already or cannot be written. */
async function writeUnlessThere(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx' })
  } catch (thrown) {
    const taken = (thrown as NodeJS.ErrnoException).code === 'EEXIST'
    const message = taken ? `The file ${path} is there already; choose a name that is not taken.` : `The file ${path} cannot be written; choose another folder.`
    throw new AppError('INVALID_ARGUMENT', message, { cause: thrown })
  }
}
