import { AppError } from '../../../contract/error.ts'
import type { ElementType } from '../element-type.ts'
import { repeatedKey } from '../json-keys.ts'
import type { StoredTensor } from '../tensor-file.ts'

/** Bits of an element, and the type that it is read as; null for types that are listed only. */
const types: Record<string, { bits: number; type: ElementType | null }> = {
  BOOL: { bits: 8, type: 'bool' },
  F4: { bits: 4, type: null },
  F6_E2M3: { bits: 6, type: null },
  F6_E3M2: { bits: 6, type: null },
  U8: { bits: 8, type: 'uint8' },
  I8: { bits: 8, type: 'int8' },
  F8_E5M2: { bits: 8, type: 'float8 e5m2' },
  F8_E4M3: { bits: 8, type: 'float8 e4m3' },
  F8_E8M0: { bits: 8, type: 'float8 e8m0' },
  F8_E4M3FNUZ: { bits: 8, type: 'float8 e4m3fnuz' },
  F8_E5M2FNUZ: { bits: 8, type: 'float8 e5m2fnuz' },
  I16: { bits: 16, type: 'int16' },
  U16: { bits: 16, type: 'uint16' },
  F16: { bits: 16, type: 'float16' },
  BF16: { bits: 16, type: 'bfloat16' },
  I32: { bits: 32, type: 'int32' },
  U32: { bits: 32, type: 'uint32' },
  F32: { bits: 32, type: 'float32' },
  C64: { bits: 64, type: null },
  F64: { bits: 64, type: 'float64' },
  I64: { bits: 64, type: 'int64' },
  U64: { bits: 64, type: 'uint64' },
}

export const greatestHeader = 100_000_000

export interface SafetensorsHeader {
  tensors: StoredTensor[]
  metadata: Record<string, string>
}

const refused = (file: string, what: string): AppError =>
  new AppError('MODEL_CORRUPT', `The safetensors file ${file} is refused: ${what}. Fetch or export the file again.`)

/**
 * Checks and reads a header (the format's own rules): ranges touch, cover the data exactly and have the size of
 * their shape; names are not repeated.
 * @param text the JSON header, @param dataStart first byte behind it, @param size bytes of the file
 */
export function readHeader(text: string, file: string, dataStart: number, size: number): SafetensorsHeader {
  if (!text.startsWith('{')) throw refused(file, 'its header does not begin with "{"')
  const repeated = repeatedKey(text)
  if (repeated !== null) throw refused(file, `its header names "${repeated}" twice`)
  const { __metadata__: metadata, ...entries } = parse(text, file)
  const tensors = Object.entries(entries).map(([name, entry]) => readEntry(name, entry, file, dataStart))
  checkCoverage(tensors, file, dataStart, size)
  return { tensors, metadata: readMetadata(metadata, file) }
}

function parse(text: string, file: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch (cause) {
    throw refused(file, `its header is not valid JSON (${cause instanceof Error ? cause.message.slice(0, 80) : String(cause)})`)
  }
}

function readMetadata(metadata: unknown, file: string): Record<string, string> {
  if (metadata === undefined) return {}
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata) || Object.values(metadata).some((value) => typeof value !== 'string')) {
    throw refused(file, 'its __metadata__ holds something other than texts')
  }
  return metadata as Record<string, string>
}

function readEntry(name: string, entry: unknown, file: string, dataStart: number): StoredTensor {
  const { dtype, shape, data_offsets: offsets } = (typeof entry === 'object' && entry !== null ? entry : {}) as Record<string, unknown>
  if (typeof dtype !== 'string' || !isCounts(shape) || !isCounts(offsets) || offsets.length !== 2) {
    throw refused(file, `the tensor "${name}" lacks a dtype, a shape of whole numbers or two data_offsets`)
  }
  const [begin, end] = offsets as [number, number]
  if (end < begin) throw refused(file, `the tensor "${name}" ends before it begins (${begin} to ${end})`)
  const known = types[dtype]
  if (known) checkSize(name, shape, known.bits, end - begin, file)
  return { name, type: known?.type ?? null, typeName: dtype, shape, file, start: dataStart + begin, end: dataStart + end }
}

const isCounts = (value: unknown): value is number[] => Array.isArray(value) && value.every((item) => Number.isSafeInteger(item) && (item as number) >= 0)

function checkSize(name: string, shape: readonly number[], bits: number, bytes: number, file: string): void {
  const total = shape.reduce((product, size) => product * BigInt(size), BigInt(bits))
  if (total % 8n !== 0n) throw refused(file, `the tensor "${name}" of shape [${shape.join(', ')}] does not fill whole bytes`)
  if (total / 8n !== BigInt(bytes))
    throw refused(file, `the tensor "${name}" of shape [${shape.join(', ')}] needs ${total / 8n} bytes, but ${bytes} are given to it`)
}

function checkCoverage(tensors: readonly StoredTensor[], file: string, dataStart: number, size: number): void {
  let at = dataStart
  for (const tensor of tensors.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (tensor.start < at) throw refused(file, `the tensor "${tensor.name}" overlaps another one`)
    if (tensor.start > at) throw refused(file, `there is a hole of ${tensor.start - at} bytes before the tensor "${tensor.name}"`)
    at = tensor.end
  }
  if (at !== size) throw refused(file, `its tensors end at byte ${at}, but the file holds ${size} bytes`)
}
