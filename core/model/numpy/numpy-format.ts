import { basename, extname } from 'node:path'
import type { ElementType } from '../element-type.ts'
import type { ModelFormat, OpenModel } from '../open-model.ts'
import { fileSize, readRange, TensorFileModel } from '../tensor-file.ts'
import type { StoredTensor } from '../tensor-file.ts'
import { ZipFile } from '../zip-file.ts'
import { isNpy, npyValues, readNpyHeader } from './npy.ts'
import type { NpyHeader } from './npy.ts'

const elementTypes: Record<string, ElementType> = {
  b1: 'bool',
  i1: 'int8',
  i2: 'int16',
  i4: 'int32',
  i8: 'int64',
  u1: 'uint8',
  u2: 'uint16',
  u4: 'uint32',
  u8: 'uint64',
  f2: 'float16',
  f4: 'float32',
  f8: 'float64',
}

/** Longer headers than real arrays have are read in full by the header's own check. */
const headerBytes = 65536

function storedTensor(name: string, header: NpyHeader, file: string, start: number, bytes: number): StoredTensor {
  const plain = !header.bigEndian && !(header.fortran && header.shape.length > 1)
  return {
    name,
    type: elementTypes[header.type] ?? null,
    typeName: header.type,
    shape: header.shape,
    file,
    start: start + header.dataStart,
    end: start + bytes,
    ...(plain ? {} : { convert: (data: Uint8Array) => Float32Array.from(npyValues(data, header, name)) }),
  }
}

// eslint-disable-next-line @typescript-eslint/require-await -- every format opens through the same promise
async function openArray(path: string): Promise<OpenModel> {
  const size = fileSize(path)
  const header = readNpyHeader(readRange(path, 0, Math.min(size, headerBytes)), basename(path), size)
  const tensor = storedTensor(basename(path, extname(path)), header, path, 0, size)
  const readOnly = tensor.convert ? { readOnly: 'it is stored column-major or big-endian' } : {}
  return new TensorFileModel({ path, format: 'numpy array', tensors: [tensor], files: [path], ...readOnly })
}

/** Arrays of an archive. Compressed ones are unpacked now, because weights are read in one go later. */
async function openArchive(path: string): Promise<OpenModel> {
  const zip = await ZipFile.open(path)
  try {
    const tensors: StoredTensor[] = []
    for (const { name, bytes, stored } of zip.entries.values()) {
      if (!name.endsWith('.npy')) continue
      const title = name.slice(0, -'.npy'.length)
      if (stored) {
        const start = await zip.dataStart(name)
        tensors.push(storedTensor(title, readNpyHeader(readRange(path, start, Math.min(bytes, headerBytes)), name, bytes), path, start, bytes))
      } else {
        const data = await zip.read(name)
        const header = readNpyHeader(data, name, data.length)
        tensors.push({ ...storedTensor(title, header, path, 0, bytes), data: data.subarray(header.dataStart) })
      }
    }
    return new TensorFileModel({ path, format: 'numpy archive', tensors, files: [path], readOnly: 'it is a zip archive with checksums' })
  } finally {
    zip.close()
  }
}

export const npy: ModelFormat = { name: 'numpy array', sniff: isNpy, open: openArray }

/** A zip whose name says so, or whose first entry is an array. */
export const npz: ModelFormat = {
  name: 'numpy archive',
  sniff: (start, path) => isZip(start) && (path.toLowerCase().endsWith('.npz') || firstEntryName(start).endsWith('.npy')),
  open: openArchive,
}

export const isZip = (start: Uint8Array): boolean => start[0] === 0x50 && start[1] === 0x4b && start[2] === 3 && start[3] === 4

function firstEntryName(start: Uint8Array): string {
  const length = (start[26] ?? 0) + 256 * (start[27] ?? 0)
  return new TextDecoder().decode(start.subarray(30, 30 + length))
}
