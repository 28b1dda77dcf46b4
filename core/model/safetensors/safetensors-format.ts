import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { AppError } from '../../../contract/error.ts'
import { repeatedKey } from '../json-keys.ts'
import { fileError } from '../model-file.ts'
import type { ModelFormat, OpenModel } from '../open-model.ts'
import { fileSize, readRange, TensorFileModel } from '../tensor-file.ts'
import type { StoredTensor } from '../tensor-file.ts'
import { greatestHeader, readHeader } from './header.ts'

/** Eight bytes of header length, then JSON. */
function sniff(start: Uint8Array, path: string): boolean {
  return path.toLowerCase().endsWith('.safetensors') || (start[8] === 0x7b && start[4] === 0 && start[5] === 0 && start[6] === 0 && start[7] === 0)
}

function readTensors(path: string): StoredTensor[] {
  const refused = (what: string): AppError => new AppError('MODEL_CORRUPT', `The safetensors file ${path} is refused: ${what}. Fetch or export the file again.`)
  const size = fileSize(path)
  if (size < 8) throw refused(`it holds ${size} bytes, fewer than the length of its header`)
  const length = new DataView(readRange(path, 0, 8).buffer).getBigUint64(0, true)
  if (length > BigInt(greatestHeader)) throw refused(`its header claims ${length} bytes, more than the ${greatestHeader} that the format allows`)
  if (8n + length > BigInt(size)) throw refused(`its header claims ${length} bytes, but the file holds ${size}`)
  const text = new TextDecoder().decode(readRange(path, 8, Number(length)))
  return readHeader(text, path, 8 + Number(length), size).tensors
}

// eslint-disable-next-line @typescript-eslint/require-await -- every format opens through the same promise
async function open(path: string): Promise<OpenModel> {
  return new TensorFileModel({ path, format: 'safetensors', tensors: readTensors(path), files: [path] })
}

export const safetensors: ModelFormat = { name: 'safetensors', sniff, open }

/** An index of shards is JSON with a weight_map. */
function sniffIndex(start: Uint8Array, path: string): boolean {
  return path.toLowerCase().endsWith('.index.json') || new TextDecoder('latin1').decode(start).includes('"weight_map"')
}

async function openIndex(path: string): Promise<OpenModel> {
  const shards = await readIndex(path)
  const folder = dirname(path)
  const tensors: StoredTensor[] = []
  for (const [shard, names] of shards) {
    const file = join(folder, shard)
    if (!existsSync(file)) {
      throw new AppError(
        'FILE_NOT_FOUND',
        `The index ${basename(path)} names the shard ${shard} with ${names.size} tensors, but it is not in the folder; fetch it too.`,
      )
    }
    const found = new Map(readTensors(file).map((tensor) => [tensor.name, tensor]))
    for (const name of names) {
      const tensor = found.get(name)
      if (!tensor)
        throw new AppError(
          'MODEL_CORRUPT',
          `The index ${basename(path)} places the tensor "${name}" in ${shard}, which does not hold it; fetch index and shards of one version.`,
        )
      tensors.push(tensor)
    }
  }
  return new TensorFileModel({ path, format: `safetensors (${shards.size} shards)`, tensors, files: [...shards.keys()].map((shard) => join(folder, shard)) })
}

/** Shard file names with the tensors that each holds. Only plain names beside the index are followed. */
async function readIndex(path: string): Promise<Map<string, Set<string>>> {
  const refused = (what: string): AppError => new AppError('MODEL_CORRUPT', `The index ${path} is refused: ${what}. Fetch or export it again.`)
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw fileError(path, cause)
  })
  const repeated = repeatedKey(text)
  if (repeated !== null) throw refused(`it names "${repeated}" twice`)
  const map = weightMap(text)
  if (!map) throw refused('it is not a JSON object with a weight_map')
  const shards = new Map<string, Set<string>>()
  for (const [name, shard] of Object.entries(map)) {
    if (typeof shard !== 'string' || !/^[^/\\\0:]+$/.test(shard) || shard === '.' || shard === '..') {
      throw refused(`the shard ${JSON.stringify(shard)} of the tensor "${name}" is not a plain file name beside the index`)
    }
    shards.set(shard, (shards.get(shard) ?? new Set()).add(name))
  }
  if (shards.size === 0) throw refused('its weight_map is empty')
  return shards
}

function weightMap(text: string): Record<string, unknown> | null {
  try {
    const { weight_map: map } = JSON.parse(text) as { weight_map?: unknown }
    return typeof map === 'object' && map !== null && !Array.isArray(map) ? (map as Record<string, unknown>) : null
  } catch {
    return null
  }
}

export const safetensorsIndex: ModelFormat = { name: 'safetensors index', sniff: sniffIndex, open: openIndex }
