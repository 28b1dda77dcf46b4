import { AppError } from '../../../contract/error.ts'
import { decodeElements, elementBytes } from '../element-type.ts'
import type { ElementType } from '../element-type.ts'
import { isZip } from '../numpy/numpy-format.ts'
import type { ModelFormat, OpenModel } from '../open-model.ts'
import { TensorFileModel } from '../tensor-file.ts'
import type { StoredTensor } from '../tensor-file.ts'
import { ZipFile } from '../zip-file.ts'
import { isTensor, readPickle } from './pickle.ts'
import type { PickledTensor, PickledValue } from './pickle.ts'

const elementTypes: Record<string, ElementType> = {
  Double: 'float64',
  Float: 'float32',
  Half: 'float16',
  BFloat16: 'bfloat16',
  Long: 'int64',
  Int: 'int32',
  Short: 'int16',
  Char: 'int8',
  Byte: 'uint8',
  Bool: 'bool',
}

const refused = (path: string, what: string): AppError => new AppError('MODEL_CORRUPT', `The PyTorch file ${path} is refused: ${what}. Fetch or save it again.`)

/** A checkpoint as torch.save writes it since 1.6: a zip with a pickle and one stored file a storage. */
async function open(path: string): Promise<OpenModel> {
  const zip = await ZipFile.open(path)
  try {
    const pickle = [...zip.entries.keys()].find((name) => name === 'data.pkl' || name.endsWith('/data.pkl'))
    if (pickle === undefined)
      throw new AppError('NOT_A_MODEL', `The archive ${path} holds no data.pkl, so it is not a PyTorch checkpoint; choose a file that torch.save wrote.`)
    const root = pickle.slice(0, -'data.pkl'.length)
    await refuseBigEndian(zip, root, path)
    const named = namedTensors(readPickle(await zip.read(pickle)))
    const tensors: StoredTensor[] = []
    for (const [name, tensor] of named) tensors.push(await storedTensor(zip, path, root, name, tensor))
    return new TensorFileModel({ path, format: 'PyTorch checkpoint', tensors, files: [path], readOnly: 'it is a zip archive with checksums' })
  } finally {
    zip.close()
  }
}

async function refuseBigEndian(zip: ZipFile, root: string, path: string): Promise<void> {
  if (!zip.entries.has(`${root}byteorder`)) return
  const order = new TextDecoder().decode(await zip.read(`${root}byteorder`))
  if (order !== 'little')
    throw new AppError(
      'MODEL_UNSUPPORTED',
      `The PyTorch file ${path} has the byte order "${order}"; only little-endian ones are read. Save it again on an ordinary machine.`,
    )
}

/** Deeper nesting than any checkpoint has; a guard against files made to exhaust the stack. */
const greatestDepth = 32

/** Tensors by their path through the dictionaries and lists of the checkpoint; one that is met again keeps its first name. */
function namedTensors(root: PickledValue): Map<string, PickledTensor> {
  const found = new Map<string, PickledTensor>()
  const seen = new Set<unknown>()
  const visit = (value: PickledValue, path: readonly string[]): void => {
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array || path.length > greatestDepth) return
    if (isTensor(value)) {
      found.set(path.join('.'), value)
      return
    }
    if (seen.has(value)) return
    seen.add(value)
    for (const [key, item] of value.entries()) {
      if (typeof key === 'string' || typeof key === 'number') visit(item, [...path, String(key)])
    }
  }
  visit(root, [])
  return found
}

async function storedTensor(zip: ZipFile, path: string, root: string, name: string, { storage, offset, shape, strides }: PickledTensor): Promise<StoredTensor> {
  const entry = zip.entries.get(`${root}data/${storage.key}`)
  const type = elementTypes[storage.type]
  if (!entry || !type) throw refused(path, `the storage "${storage.key}" of the tensor "${name}" is missing`)
  if (!entry.stored) throw refused(path, `the storage "${storage.key}" is compressed, which torch.save never does`)
  const size = elementBytes(type)
  const count = shape.reduce((product, length) => product * length, 1)
  const last = count === 0 ? offset : offset + shape.reduce((sum, length, axis) => sum + (length - 1) * strides[axis]!, 0) + 1
  if (last * size > entry.bytes) throw refused(path, `the tensor "${name}" reaches to byte ${last * size} of its storage, which holds ${entry.bytes}`)
  if (count > entry.bytes / size) throw refused(path, `the tensor "${name}" repeats elements of its storage (${count} of ${entry.bytes / size})`)
  const start = (await zip.dataStart(`${root}data/${storage.key}`)) + offset * size
  const packed = isPacked(shape, strides)
  return {
    name,
    type,
    typeName: storage.type,
    shape,
    file: path,
    start,
    end: start + (packed ? count : last - offset) * size,
    ...(packed ? {} : { convert: (bytes: Uint8Array) => gather(decodeElements(bytes, type), shape, strides) }),
  }
}

/** Row-major without gaps; the stride of an axis of length 1 does not matter. */
function isPacked(shape: readonly number[], strides: readonly number[]): boolean {
  let expected = 1
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    if (shape[axis] !== 1 && strides[axis] !== expected) return false
    expected *= shape[axis]!
  }
  return true
}

/** Elements of a strided window in row-major order. */
function gather(stored: Float32Array, shape: readonly number[], strides: readonly number[]): Float32Array {
  const count = shape.reduce((product, length) => product * length, 1)
  return Float32Array.from({ length: count }, (_, index) => {
    let rest = index
    let place = 0
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      place += (rest % shape[axis]!) * strides[axis]!
      rest = Math.floor(rest / shape[axis]!)
    }
    return stored[place]!
  })
}

/** Checkpoints before torch 1.6 begin with a bare pickle. */
const isLegacy = (start: Uint8Array, path: string): boolean => /\.(?:pt|pth|bin|pkl|ckpt)$/i.test(path) && start[0] === 0x80

export const pytorch: ModelFormat = { name: 'PyTorch checkpoint', sniff: isZip, open }

export const legacyPytorch: ModelFormat = {
  name: 'PyTorch checkpoint (old)',
  sniff: isLegacy,
  open: (path) =>
    Promise.reject(
      new AppError(
        'MODEL_UNSUPPORTED',
        `The file ${path} is a bare pickle, as old versions of torch.save wrote it, and is never loaded because loading it can run code. Load it where you trust it and save its state_dict as safetensors.`,
      ),
    ),
}
