import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { AppError } from '../../../contract/error.ts'

/** More than any data set that fits a measurement; a guard against files made to fill the memory. */
const greatestBytes = 4 * 2 ** 30
const inflate = promisify(gunzip)

/**
 * The bytes of a data file, unpacked when it is gzip.
 * @throws AppError DATA_MISSING when it is not there, DATA_INVALID when it cannot be unpacked
 */
export async function readDataFile(path: string): Promise<Uint8Array> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new AppError(
      'DATA_MISSING',
      `The data file ${path} could not be read (${String((cause as { code?: unknown }).code ?? cause)}); check the path in the task and the folder HINM_DATA.`,
      { cause },
    )
  })
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  return await inflate(bytes, { maxOutputLength: greatestBytes }).catch((cause: unknown) => {
    throw new AppError('DATA_INVALID', `The data file ${path} is damaged: it could not be unpacked with gzip. Fetch it again.`, { cause })
  })
}
