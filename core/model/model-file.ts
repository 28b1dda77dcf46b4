import { createHash } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { AppError } from '../../contract/error.ts'

const startBytes = 4096

/** The first bytes of a file, at most 4096. @throws AppError FILE_NOT_FOUND or FILE_NOT_READABLE */
export async function readStart(path: string): Promise<Uint8Array> {
  try {
    const file = await open(path, 'r')
    try {
      const { buffer, bytesRead } = await file.read(new Uint8Array(startBytes), 0, startBytes, 0)
      return buffer.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  } catch (cause) {
    throw fileError(path, cause)
  }
}

/** All bytes of a file. @throws AppError FILE_NOT_FOUND or FILE_NOT_READABLE */
export async function readWhole(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path)
  } catch (cause) {
    throw fileError(path, cause)
  }
}

/** What went wrong with a file, as one sentence. */
export function fileError(path: string, cause: unknown): AppError {
  const code = (cause as { code?: unknown }).code
  if (code === 'ENOENT' || code === 'ENOTDIR') return new AppError('FILE_NOT_FOUND', `The file ${path} does not exist; check its name and folder.`, { cause })
  if (code === 'EISDIR') return new AppError('FILE_NOT_READABLE', `${path} is a folder, but a file is needed; choose a file in it.`, { cause })
  if (code === 'EACCES' || code === 'EPERM')
    return new AppError('FILE_NOT_READABLE', `The file ${path} may not be read by this user; change its permissions.`, { cause })
  if (code === 'ERR_FS_FILE_TOO_LARGE')
    return new AppError('MODEL_UNSUPPORTED', `The file ${path} is larger than 2 GiB, more than one ONNX file may hold; export it with external data.`, {
      cause,
    })
  return new AppError('FILE_NOT_READABLE', `The file ${path} could not be read (${String(code ?? cause)}); check the disk and try again.`, { cause })
}

/** Files that often lie where a model should be; null when it is none of them. */
export function notAModel(start: Uint8Array, path: string): string | null {
  const name = basename(path)
  if (start.length === 0) return `The file ${name} is empty; fetch or export it again.`
  const text = new TextDecoder('latin1').decode(start.subarray(0, 512)).replace(/^\s+/, '').toLowerCase()
  if (text.startsWith('version https://git-lfs.github.com/'))
    return `The file ${name} is a Git LFS pointer, not the model itself; fetch the real file with "git lfs pull".`
  if (/^(?:<!doctype html|<html|<head)/.test(text)) return `The file ${name} is a web page, not a model; download the real file (a link to its raw contents).`
  return null
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
