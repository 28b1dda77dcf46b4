import { constants } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AppError } from '../../../contract/error.ts'
import { fileError, readWhole } from '../model-file.ts'
import type { OnnxGraph, OnnxTensor } from './proto.ts'

/** Values that lie beside the ONNX file, by tensor. */
export interface ExternalData {
  tensors: ReadonlyMap<OnnxTensor, Uint8Array>
  bytes: number
}

const knownKeys = new Set(['location', 'offset', 'length', 'checksum', 'basepath'])

interface Place {
  tensor: OnnxTensor
  location: string
  offset: number
  length: number | null
}

const invalid = (tensor: OnnxTensor, what: string): AppError =>
  new AppError(
    'MODEL_CORRUPT',
    `The external data of the weight "${tensor.name}" is refused: ${what}. Export the model again with its data in one plain file beside it.`,
  )

/**
 * Reads the values that a graph keeps in files beside it. A data file must be a plain file with one name in the
 * model's own folder (no links, no other folders), and each range must lie inside it when it is read.
 * @param given files that a person named for a location, joined in order, in place of the one beside the model
 */
export async function loadExternalData(modelPath: string, graph: OnnxGraph, given: ReadonlyMap<string, readonly string[]>): Promise<ExternalData> {
  const places = new Map<string, Place[]>()
  for (const tensor of externalTensors(graph)) {
    const place = placeOf(tensor)
    const list = places.get(place.location)
    if (list) list.push(place)
    else places.set(place.location, [place])
  }
  const tensors = new Map<OnnxTensor, Uint8Array>()
  let bytes = 0
  for (const [location, wanted] of places) {
    const parts = given.get(location)
    bytes += parts ? await cutPlaces(parts, wanted, tensors) : await readPlaces(join(dirname(modelPath), location), wanted, tensors)
  }
  return { tensors, bytes }
}

function externalTensors(graph: OnnxGraph): OnnxTensor[] {
  const constants = graph.nodes.flatMap((node) =>
    [...node.attributes.values()].flatMap(({ tensor, graphs }) => [...(tensor ? [tensor] : []), ...graphs.flatMap(externalTensors)]),
  )
  return [...graph.initializers, ...constants].filter((tensor) => tensor.external !== null)
}

function placeOf(tensor: OnnxTensor): Place {
  const entries = tensor.external ?? new Map<string, string>()
  for (const key of entries.keys()) {
    if (!knownKeys.has(key)) throw invalid(tensor, `the key "${key}" is not one of ${[...knownKeys].join(', ')}`)
  }
  const location = entries.get('location') ?? ''
  if (location === '' || location === '.' || location === '..' || /[/\\\0]/.test(location) || /^[a-z]:/i.test(location)) {
    throw invalid(tensor, `its location "${location}" is not a plain file name`)
  }
  return {
    tensor,
    location,
    offset: wholeNumber(tensor, 'offset', entries.get('offset') ?? '0'),
    length: entries.has('length') ? wholeNumber(tensor, 'length', entries.get('length') ?? '') : null,
  }
}

function wholeNumber(tensor: OnnxTensor, key: string, text: string): number {
  const value = Number(text)
  if (!/^\d{1,15}$/.test(text)) throw invalid(tensor, `its ${key} "${text}" is not a whole number of bytes`)
  return value
}

async function readPlaces(path: string, places: readonly Place[], into: Map<OnnxTensor, Uint8Array>): Promise<number> {
  const first = places[0]!.tensor
  try {
    const status = await lstat(path)
    if (!status.isFile()) throw invalid(first, `"${path}" is not a plain file`)
    if (status.nlink > 1) throw invalid(first, `"${path}" has other hard links`)
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
    try {
      const { size } = await file.stat()
      for (const place of places) {
        const length = place.length ?? size - place.offset
        if (length < 0 || place.offset + length > size) throw invalid(place.tensor, `it ends at byte ${place.offset + length}, but the file holds ${size}`)
        const data = new Uint8Array(length)
        const { bytesRead } = await file.read(data, 0, length, place.offset)
        if (bytesRead !== length) throw invalid(place.tensor, 'the file became shorter while it was read')
        into.set(place.tensor, data)
      }
      return size
    } finally {
      await file.close()
    }
  } catch (cause) {
    throw cause instanceof AppError ? cause : fileError(path, cause)
  }
}

async function cutPlaces(parts: readonly string[], places: readonly Place[], into: Map<OnnxTensor, Uint8Array>): Promise<number> {
  const joined = Buffer.concat(await Promise.all(parts.map(readWhole)))
  for (const { tensor, offset, length } of places) {
    const end = offset + (length ?? joined.length - offset)
    if (end < offset || end > joined.length) throw invalid(tensor, `it ends at byte ${end}, but the named files hold ${joined.length} together`)
    into.set(tensor, joined.subarray(offset, end))
  }
  return joined.length
}
