import { open, realpath, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { AppError } from '../../../contract/error.ts'

/**
 * Writes a file so that it is either whole or not there: into a file beside it, flushed, then renamed over it.
 * @param sources files that are open as models; none of them may be the target
 * @throws AppError INVALID_ARGUMENT when the target is a source, DISK_FULL, FILE_NOT_READABLE when it cannot be written
 */
export async function writeBeside(path: string, parts: Iterable<Uint8Array>, sources: readonly string[]): Promise<void> {
  await refuseSource(path, sources)
  const beside = join(dirname(path), `.${basename(path)}.${process.pid}.part`)
  try {
    const file = await open(beside, 'wx')
    try {
      for (const part of parts) await file.writeFile(part)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(beside, path)
  } catch (cause) {
    await rm(beside, { force: true })
    throw writeError(path, cause)
  }
}

async function refuseSource(path: string, sources: readonly string[]): Promise<void> {
  const real = async (name: string): Promise<string> => await realpath(name).catch(() => name)
  const target = await real(path)
  for (const source of sources) {
    if ((await real(source)) === target) {
      throw new AppError('INVALID_ARGUMENT', `The model is open from ${path}, so it is not written over; choose another name or folder.`)
    }
  }
}

function writeError(path: string, cause: unknown): AppError {
  if (cause instanceof AppError) return cause
  const code = String((cause as { code?: unknown }).code ?? cause)
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new AppError('DISK_FULL', `There is no room to write ${path}; free some space or choose another disk. Nothing was left behind.`, { cause })
  return new AppError('FILE_NOT_READABLE', `The file ${path} could not be written (${code}); check the folder and its permissions.`, { cause })
}
