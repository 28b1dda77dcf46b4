import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as v from 'valibot'
import { Task } from '../../../contract/task.ts'
import { npy, zip } from '../../../test/corpus/build-files.ts'
import { openSamples } from './open-samples.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hinm-data-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true })
})

const write = (name: string, content: Uint8Array | string): Promise<void> => writeFile(join(folder, name), content)

function task(data: unknown, input: object, more: object = {}): Task {
  return v.parse(Task, {
    name: 'test',
    model: 'm.onnx',
    data,
    input: { name: 'x', type: 'float32', ...input },
    output: { name: 'y' },
    metric: 'top-1',
    ...more,
  })
}

const open = (data: unknown, input: object, more: object = {}): ReturnType<typeof openSamples> => openSamples(task(data, input, more), folder)

describe('IDX data', () => {
  const images = Uint8Array.of(0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2, 0, 51, 102, 255, 1, 2, 3, 4)
  const labels = Uint8Array.of(0, 0, 8, 1, 0, 0, 0, 2, 7, 9)

  it('is scaled and shifted as the task says', async () => {
    await write('i', gzipSync(images))
    await write('l', labels)
    const samples = await open({ format: 'idx', inputs: 'i', labels: 'l' }, { shape: [1, 2, 2], scale: 1 / 255, mean: 0.2, std: 0.5 })
    const { values, dims } = samples.batch([0])
    expect(dims).toEqual([1, 1, 2, 2])
    // (v/255 − 0.2) / 0.5
    expect([...values].map(Number)).toEqual([-0.4, 0, 0.4, 1.6].map((value) => expect.closeTo(value, 6) as number))
    expect(samples.labels).toEqual({ kind: 'classes', values: Int32Array.of(7, 9) })
  })

  it('is refused in one sentence when it is cut, of another type or of another count', async () => {
    const inputs = { shape: [1, 2, 2] }
    await write('cut', images.subarray(0, 20))
    await expect(open({ format: 'idx', inputs: 'cut', labels: 'l' }, inputs)).rejects.toMatchObject({
      code: 'DATA_INVALID',
      message: expect.stringContaining('needs 8 values, but 4 are there') as string,
    })
    await write('typed', Uint8Array.of(0, 0, 13, 1, 0, 0, 0, 0))
    await expect(open({ format: 'idx', inputs: 'typed', labels: 'l' }, inputs)).rejects.toThrow('have the type 13, but only unsigned bytes')
    await write('three', Uint8Array.of(0, 0, 8, 1, 0, 0, 0, 3, 7, 9, 1))
    await expect(open({ format: 'idx', inputs: 'i', labels: 'three' }, inputs)).rejects.toThrow('has 2 inputs but 3 labels')
    await expect(open({ format: 'idx', inputs: 'absent', labels: 'l' }, inputs)).rejects.toMatchObject({ code: 'DATA_MISSING' })
  })
})

describe('numpy data', () => {
  const array = (descr: string, shape: string, bytes: Uint8Array): Uint8Array =>
    npy(`{'descr': '${descr}', 'fortran_order': False, 'shape': ${shape}, }`, bytes)
  const inputs = array('<f4', '(2, 3)', new Uint8Array(Float32Array.of(1, 2, 3, 4, 5, 6).buffer))

  it('is read from single files and from members of an archive', async () => {
    await write('x.npy', inputs)
    await write('d.npz', zip({ 'y.npy': array('<i8', '(2,)', new Uint8Array(BigInt64Array.of(3n, 1n).buffer)) }, { deflate: true }))
    const samples = await open({ format: 'npy', inputs: 'x.npy', labels: 'd.npz#y' }, { shape: [3] })
    expect([...samples.batch([1]).values]).toEqual([4, 5, 6])
    expect(samples.labels).toEqual({ kind: 'classes', values: Int32Array.of(3, 1) })
  })

  it('gives numbers to be met where labels are no class numbers', async () => {
    await write('n.npy', array('<f8', '(2, 1)', new Uint8Array(Float64Array.of(0.5, 1.5).buffer)))
    const { labels } = await open({ format: 'npy', inputs: 'x.npy', labels: 'n.npy' }, { shape: [3] })
    expect(labels).toEqual({ kind: 'numbers', values: [Float32Array.of(0.5), Float32Array.of(1.5)] })
  })

  it('turns channels-last images', async () => {
    // one 1×2 image of 3 channels: pixels (1 2 3) and (4 5 6)
    await write('c.npy', array('<f4', '(1, 1, 2, 3)', new Uint8Array(Float32Array.of(1, 2, 3, 4, 5, 6).buffer)))
    await write('one.npy', array('|u1', '(1,)', Uint8Array.of(0)))
    const samples = await open({ format: 'npy', inputs: 'c.npy', labels: 'one.npy' }, { shape: [3, 1, 2], layout: 'channels-last', mean: [1, 2, 3] })
    expect([...samples.batch([0]).values]).toEqual([0, 3, 0, 3, 0, 3])
  })
})

describe('CSV data', () => {
  it('takes one column as label and the others as input', async () => {
    await write('t.csv', 'a,class,b\n1.5,2,-3\n"4",0,1e1\n')
    const samples = await open({ format: 'csv', file: 't.csv', label: 'class' }, { shape: [2] })
    expect([...samples.batch([0, 1]).values]).toEqual([1.5, -3, 4, 10])
    expect(samples.labels).toEqual({ kind: 'classes', values: Int32Array.of(2, 0) })
  })

  it('says where a cell is no number and which columns there are', async () => {
    await write('bad.csv', 'a,b\n1,2\n1,"0,5"\n')
    await expect(open({ format: 'csv', file: 'bad.csv', label: 'a' }, { shape: [1] })).rejects.toThrow('Line 3 of the data file')
    await expect(open({ format: 'csv', file: 't.csv', label: 'kind' }, { shape: [2] })).rejects.toThrow('has no column "kind"; it has a, class, b')
  })
})

describe('token data', () => {
  const padding = { value: -1, to: 'longest' }
  it('is padded to the longest of a batch, or to the shape', async () => {
    await write('t.jsonl', '{"ids":[1,2,3],"y":0}\n\n{"ids":[4],"y":1}\n')
    const data = { format: 'json-lines', file: 't.jsonl', inputs: 'ids', labels: 'y' }
    const longest = (await open(data, { type: 'int64', shape: [8], padding })).batch([0, 1])
    expect([[...longest.values], longest.dims]).toEqual([
      [1n, 2n, 3n, 4n, -1n, -1n],
      [2, 3],
    ])
    const full = (await open(data, { type: 'int32', shape: [4], padding: { value: 0 } })).batch([1])
    expect([[...full.values], full.dims]).toEqual([
      [4, 0, 0, 0],
      [1, 4],
    ])
    await expect(open(data, { type: 'int64', shape: [2], padding })).rejects.toThrow('Sample 0 of the task "test" has 3 tokens, but input.shape allows 2')
    await expect(open(data, { type: 'int64', shape: [3] })).rejects.toThrow('say in input.padding.value what fills the rest')
  })

  it('is made of texts by a vocabulary in the same file', async () => {
    await write('w.json', JSON.stringify({ letters: ['_', 'a', 'b', '$'], sounds: ['AH', 'B'], words: ['ab', 'ba'], said: ['AH B', 'B AH'] }))
    const data = {
      format: 'json',
      file: 'w.json',
      inputs: 'words',
      labels: 'said',
      inputVocabulary: { key: 'letters', end: '$' },
      labelVocabulary: { key: 'sounds', separator: ' ' },
    }
    const samples = await open(data, { type: 'int64', shape: [4], padding: { value: 0 } })
    expect([...samples.batch([1]).values]).toEqual([2n, 1n, 3n, 0n])
    expect(samples.labels).toEqual({ kind: 'tokens', values: [Int32Array.of(0, 1), Int32Array.of(1, 0)] })
    await expect(open({ ...data, inputs: 'names' }, { shape: [4] })).rejects.toThrow('has no list "names"; it has letters, sounds, words, said')
  })
})

describe('text for next-token prediction', () => {
  it('is cut into windows with the next token as label; what lies before is support', async () => {
    await write('abc.json', JSON.stringify({ chars: ['a', 'b', 'c'] }))
    await write('t.txt', 'abcabcabcabc')
    const samples = await open(
      { format: 'text', file: 't.txt', alphabet: { file: 'abc.json', key: 'chars' }, from: 0.5, window: 2 },
      { type: 'int64', shape: [2] },
    )
    // 'abcabc' is evaluated: windows ab, ca with targets bc, ab; one token is left over
    expect(samples.count).toBe(2)
    expect([...samples.batch([0, 1]).values]).toEqual([0n, 1n, 2n, 0n])
    expect(samples.labels).toEqual({ kind: 'tokens', values: [Int32Array.of(1, 2), Int32Array.of(0, 1)] })
    expect(samples.support?.count).toBe(2)
  })
})

describe('images in folders', () => {
  it('are grey or in planes, one class a folder', async () => {
    for (const [name, color] of [
      ['cats', 10],
      ['dogs', 200],
    ] as const) {
      await mkdir(join(folder, 'pets', name), { recursive: true })
      const image = new PNG({ width: 2, height: 1 })
      image.data = Buffer.from([color, 0, 0, 255, 0, color, 0, 255])
      await writeFile(join(folder, 'pets', name, '1.png'), PNG.sync.write(image))
    }
    const planes = await open({ format: 'images', folder: 'pets' }, { shape: [3, 1, 2] })
    expect([...planes.batch([1]).values]).toEqual([200, 0, 0, 200, 0, 0])
    expect(planes.labels).toEqual({ kind: 'classes', values: Int32Array.of(0, 1) })
    // 0.299·200 and 0.587·200
    expect([...(await open({ format: 'images', folder: 'pets' }, { shape: [1, 1, 2] })).batch([1]).values]).toEqual([60, 117])
    await expect(open({ format: 'images', folder: 'pets' }, { shape: [3, 2, 2] })).rejects.toThrow('is 2×1, but the task "test" needs 2×2')
  })
})

describe('raw bytes', () => {
  it('are padded outside the filled positions', async () => {
    await write('b', Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8))
    await write('b.json', JSON.stringify({ y: [0, 1], begin: [1, 4], end: [2, 0] }))
    const samples = await open(
      { format: 'bytes', inputs: 'b', fields: 'b.json', labels: 'y' },
      { type: 'int32', shape: [4], padding: { value: 256, first: 'begin', last: 'end' } },
    )
    expect([...samples.batch([0, 1]).values]).toEqual([1, 256, 3, 4, 5, 6, 7, 8])
  })
})
