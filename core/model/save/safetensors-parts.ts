import { elementBytes, encodeElements } from '../element-type.ts'
import type { ElementType } from '../element-type.ts'

export interface SafetensorsTensor {
  name: string
  type: Extract<ElementType, 'float64' | 'float32' | 'float16' | 'bfloat16'>
  shape: readonly number[]
  values: Float32Array
}

const typeNames = { float64: 'F64', float32: 'F32', float16: 'F16', bfloat16: 'BF16' } as const

/**
 * The parts of a safetensors file in order: length, header, then each tensor, encoded when it is its turn. The header
 * is padded with spaces to a multiple of 8, as readers that map files expect.
 */
export function* safetensorsParts(tensors: readonly SafetensorsTensor[], metadata: Readonly<Record<string, string>>): Generator<Uint8Array> {
  let at = 0
  const entries = tensors.map(({ name, type, shape, values }): [string, object] => {
    const begin = at
    at += values.length * elementBytes(type)
    return [name, { dtype: typeNames[type], shape, data_offsets: [begin, at] }]
  })
  const json = new TextEncoder().encode(JSON.stringify({ __metadata__: metadata, ...Object.fromEntries(entries) }))
  const header = new Uint8Array(Math.ceil(json.length / 8) * 8).fill(0x20)
  header.set(json)
  const length = new Uint8Array(8)
  new DataView(length.buffer).setBigUint64(0, BigInt(header.length), true)
  yield length
  yield header
  for (const { values, type } of tensors) yield encodeElements(values, type)
}
