import { AppError } from '../../../contract/error.ts'

/** An IDX array (the format of MNIST): unsigned bytes with a shape. */
export interface IdxArray {
  dims: number[]
  values: Uint8Array
}

/**
 * Reads IDX: two zero bytes, the element type, the number of axes, each axis as 32 bits big-endian, then the values.
 * Only unsigned bytes (type 8) are read, the type of every published IDX set of images and labels.
 * @throws AppError DATA_INVALID
 */
export function readIdx(bytes: Uint8Array, path: string): IdxArray {
  const invalid = (what: string): AppError => new AppError('DATA_INVALID', `The data file ${path} is not a valid IDX file: ${what}. Fetch it again.`)
  if (bytes.length < 4 || bytes[0] !== 0 || bytes[1] !== 0) throw invalid('it does not begin with two zero bytes')
  if (bytes[2] !== 8) throw invalid(`its values have the type ${bytes[2]}, but only unsigned bytes (8) are read`)
  const axes = bytes[3] ?? 0
  const start = 4 + 4 * axes
  if (axes === 0 || bytes.length < start) throw invalid(`it names ${axes} axes and holds ${bytes.length} bytes`)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const dims = Array.from({ length: axes }, (_, i) => view.getUint32(4 + 4 * i))
  const size = dims.reduce((product, dim) => product * dim, 1)
  if (bytes.length - start !== size) throw invalid(`its shape [${dims.join(', ')}] needs ${size} values, but ${bytes.length - start} are there`)
  return { dims, values: bytes.subarray(start) }
}
