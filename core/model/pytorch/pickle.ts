import { AppError } from '../../../contract/error.ts'

/** A tensor as a checkpoint describes it: a window on a storage, in elements. */
export interface PickledTensor {
  storage: { type: string; key: string; elements: number }
  offset: number
  shape: number[]
  strides: number[]
}

/** What a checkpoint may hold: dictionaries, lists, numbers, texts and tensors. Nothing else is built. */
export type PickledValue = null | boolean | number | bigint | string | Uint8Array | PickledTensor | PickledValue[] | Map<PickledValue, PickledValue>

/** A name that the pickle refers to; only those of the allow-list ever get this far. */
class Callable {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

const mark = Symbol('mark')
type Item = PickledValue | Callable | typeof mark

export const isTensor = (value: unknown): value is PickledTensor => typeof value === 'object' && value !== null && 'storage' in value && 'strides' in value

const storageTypes = new Set(['Double', 'Float', 'Half', 'BFloat16', 'Long', 'Int', 'Short', 'Char', 'Byte', 'Bool'].map((type) => `torch.${type}Storage`))
const callables = new Set(['torch._utils._rebuild_tensor_v2', 'torch._utils._rebuild_parameter', 'collections.OrderedDict', 'torch.Size'])

const greatestItems = 10_000_000

/**
 * Reads the pickle of a PyTorch checkpoint without running any of it: a machine with the few instructions that
 * rebuild dictionaries of tensors. Any other instruction or name ends the reading.
 * @throws AppError MODEL_UNSUPPORTED naming the instruction or name, MODEL_CORRUPT when it is cut off
 */
export function readPickle(bytes: Uint8Array): PickledValue {
  return new PickleReader(bytes).run()
}

const unsupported = (what: string): AppError =>
  new AppError(
    'MODEL_UNSUPPORTED',
    `The PyTorch file is refused: it holds ${what}, which is more than tensors in dictionaries and is never run. Load it where you trust it and save its state_dict as safetensors.`,
  )

class PickleReader {
  private readonly bytes: Uint8Array
  private readonly view: DataView
  private at = 0
  private readonly stack: Item[] = []
  private readonly memo = new Map<number, Item>()

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  run(): PickledValue {
    for (;;) {
      const opcode = this.byte()
      if (opcode === 0x2e) return this.value(this.pop())
      const step = steps[opcode]
      if (!step) throw unsupported(`the pickle instruction 0x${opcode.toString(16)}`)
      step(this)
      if (this.stack.length + this.memo.size > greatestItems) throw unsupported(`more than ${greatestItems} items`)
    }
  }

  private cut(): AppError {
    return new AppError(
      'MODEL_CORRUPT',
      `The PyTorch file is damaged: its list of tensors ends early or is out of order at byte ${this.at}. Fetch or save it again.`,
    )
  }

  byte(): number {
    const value = this.bytes[this.at++]
    if (value === undefined) throw this.cut()
    return value
  }

  unsigned(size: 1 | 2 | 4 | 8): number {
    this.need(size)
    const at = this.at
    this.at += size
    if (size === 1) return this.view.getUint8(at)
    if (size === 2) return this.view.getUint16(at, true)
    return size === 4 ? this.view.getUint32(at, true) : Number(this.view.getBigUint64(at, true))
  }

  signed32(): number {
    this.need(4)
    this.at += 4
    return this.view.getInt32(this.at - 4, true)
  }

  double(): number {
    this.need(8)
    this.at += 8
    return this.view.getFloat64(this.at - 8, false)
  }

  slice(length: number): Uint8Array {
    this.need(length)
    this.at += length
    return this.bytes.subarray(this.at - length, this.at)
  }

  text(length: number): string {
    return new TextDecoder().decode(this.slice(length))
  }

  line(): string {
    const end = this.bytes.indexOf(0x0a, this.at)
    if (end < 0) throw this.cut()
    const text = new TextDecoder().decode(this.bytes.subarray(this.at, end))
    this.at = end + 1
    return text
  }

  private need(length: number): void {
    if (this.at + length > this.bytes.length) throw this.cut()
  }

  push(item: Item): void {
    this.stack.push(item)
  }

  pop(): Item {
    const item = this.stack.pop()
    if (item === undefined) throw this.cut()
    return item
  }

  value(item: Item): PickledValue {
    if (item === mark || item instanceof Callable) throw this.cut()
    return item
  }

  popValue(): PickledValue {
    return this.value(this.pop())
  }

  popToMark(): PickledValue[] {
    const from = this.stack.lastIndexOf(mark)
    if (from < 0) throw this.cut()
    const items = this.stack.splice(from).slice(1)
    return items.map((item) => this.value(item))
  }

  top(): Item {
    const item = this.stack.at(-1)
    if (item === undefined) throw this.cut()
    return item
  }

  remember(key: number): void {
    this.memo.set(key, this.top())
  }

  rememberNext(): void {
    this.remember(this.memo.size)
  }

  recall(key: number): void {
    const item = this.memo.get(key)
    if (item === undefined) throw this.cut()
    this.push(item)
  }

  name(module: string, name: string): void {
    const full = `${module}.${name}`
    if (!callables.has(full) && !storageTypes.has(full)) throw unsupported(`a reference to ${full}`)
    this.push(new Callable(full))
  }

  append(items: PickledValue[]): void {
    const list = this.top()
    if (!Array.isArray(list)) throw this.cut()
    for (const item of items) list.push(item)
  }

  set(items: PickledValue[]): void {
    const map = this.top()
    if (!(map instanceof Map) || items.length % 2 !== 0) throw this.cut()
    for (let i = 0; i < items.length; i += 2) map.set(items[i]!, items[i + 1]!)
  }

  /** ('storage', type, key, device, elements): a storage in a file of its own. */
  persistent(): void {
    const from = this.stack.pop()
    if (!Array.isArray(from) || from[0] !== 'storage') throw unsupported('a persistent object that is no tensor storage')
    const [, type, key, , elements] = from as unknown[]
    if (!(type instanceof Callable) || !storageTypes.has(type.name) || typeof key !== 'string' || typeof elements !== 'number')
      throw unsupported('a storage of an unknown kind')
    this.push(storageValue(type.name.slice('torch.'.length, -'Storage'.length), key, elements))
  }

  /** A tuple may hold the name of a storage type, which only `persistent` looks at. */
  tuple(items: Item[]): void {
    if (items.includes(mark)) throw this.cut()
    this.push(items as PickledValue[])
  }

  popItemsToMark(): Item[] {
    const from = this.stack.lastIndexOf(mark)
    if (from < 0) throw this.cut()
    return this.stack.splice(from).slice(1)
  }

  reduce(): void {
    const args = this.pop()
    const callable = this.pop()
    if (!(callable instanceof Callable) || !Array.isArray(args)) throw unsupported('a call of something that is no known name')
    this.push(this.call(callable.name, args))
  }

  private call(name: string, args: PickledValue[]): PickledValue {
    if (name === 'collections.OrderedDict' && args.length === 0) return new Map()
    if (name === 'torch.Size' && args.length === 1) return args[0]!
    if (name === 'torch._utils._rebuild_parameter' && isTensor(args[0])) return args[0]
    if (name === 'torch._utils._rebuild_tensor_v2') return rebuildTensor(args)
    throw unsupported(`a call of ${name} in an unknown form`)
  }
}

/** A storage travels through the stack as a dictionary that only `rebuildTensor` reads. */
const storageValue = (type: string, key: string, elements: number): PickledValue =>
  new Map<PickledValue, PickledValue>([
    ['type', type],
    ['key', key],
    ['elements', elements],
  ])

function rebuildTensor([storage, offset, shape, strides]: PickledValue[]): PickledTensor {
  const isCounts = (value: PickledValue | undefined): value is number[] =>
    Array.isArray(value) && value.every((item) => Number.isSafeInteger(item) && (item as number) >= 0)
  if (!(storage instanceof Map) || typeof offset !== 'number' || !isCounts(shape) || !isCounts(strides) || shape.length !== strides.length)
    throw unsupported('a tensor in an unknown form')
  const [type, key, elements] = [storage.get('type'), storage.get('key'), storage.get('elements')]
  if (typeof type !== 'string' || typeof key !== 'string' || typeof elements !== 'number') throw unsupported('a tensor without a storage')
  return { storage: { type, key, elements }, offset, shape, strides }
}

/** A part of a name; anything but a text is no known name. */
const textOf = (value: PickledValue): string => (typeof value === 'string' ? value : '?')

type Step = (reader: PickleReader) => void

/** Two's complement, little-endian, of any length. */
function longInteger(bytes: Uint8Array): number | bigint {
  let value = 0n
  for (let i = bytes.length - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[i]!)
  if (bytes.length > 0 && bytes.at(-1)! >= 0x80) value -= 1n << BigInt(8 * bytes.length)
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

/** Instructions by opcode (pickle protocols 2 to 5); what is missing here is refused. */
const steps: Record<number, Step | undefined> = {
  0x80: (reader) => void reader.byte(),
  0x95: (reader) => void reader.unsigned(8),
  0x28: (reader) => {
    reader.push(mark)
  },
  0x30: (reader) => void reader.pop(),
  0x4e: (reader) => {
    reader.push(null)
  },
  0x88: (reader) => {
    reader.push(true)
  },
  0x89: (reader) => {
    reader.push(false)
  },
  0x4a: (reader) => {
    reader.push(reader.signed32())
  },
  0x4b: (reader) => {
    reader.push(reader.unsigned(1))
  },
  0x4d: (reader) => {
    reader.push(reader.unsigned(2))
  },
  0x8a: (reader) => {
    reader.push(longInteger(reader.slice(reader.unsigned(1))))
  },
  0x47: (reader) => {
    reader.push(reader.double())
  },
  0x58: (reader) => {
    reader.push(reader.text(reader.unsigned(4)))
  },
  0x8c: (reader) => {
    reader.push(reader.text(reader.unsigned(1)))
  },
  0x42: (reader) => {
    reader.push(reader.slice(reader.unsigned(4)))
  },
  0x43: (reader) => {
    reader.push(reader.slice(reader.unsigned(1)))
  },
  0x7d: (reader) => {
    reader.push(new Map())
  },
  0x5d: (reader) => {
    reader.push([])
  },
  0x29: (reader) => {
    reader.push([])
  },
  0x74: (reader) => {
    reader.tuple(reader.popItemsToMark())
  },
  0x85: (reader) => {
    reader.tuple([reader.pop()])
  },
  0x86: (reader) => {
    const b = reader.pop()
    reader.tuple([reader.pop(), b])
  },
  0x87: (reader) => {
    const c = reader.pop()
    const b = reader.pop()
    reader.tuple([reader.pop(), b, c])
  },
  0x61: (reader) => {
    const item = reader.popValue()
    reader.append([item])
  },
  0x65: (reader) => {
    reader.append(reader.popToMark())
  },
  0x73: (reader) => {
    const value = reader.popValue()
    const key = reader.popValue()
    reader.set([key, value])
  },
  0x75: (reader) => {
    reader.set(reader.popToMark())
  },
  0x71: (reader) => {
    reader.remember(reader.unsigned(1))
  },
  0x72: (reader) => {
    reader.remember(reader.unsigned(4))
  },
  0x94: (reader) => {
    reader.rememberNext()
  },
  0x68: (reader) => {
    reader.recall(reader.unsigned(1))
  },
  0x6a: (reader) => {
    reader.recall(reader.unsigned(4))
  },
  0x63: (reader) => {
    const module = reader.line()
    reader.name(module, reader.line())
  },
  0x93: (reader) => {
    const name = reader.popValue()
    reader.name(textOf(reader.popValue()), textOf(name))
  },
  0x51: (reader) => {
    reader.persistent()
  },
  0x52: (reader) => {
    reader.reduce()
  },
  // BUILD sets attributes of an OrderedDict (`_metadata`), which hold no tensors.
  0x62: (reader) => {
    reader.popValue()
    if (!(reader.top() instanceof Map)) throw unsupported('an object with a state of its own')
  },
}
