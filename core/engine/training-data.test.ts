import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTrainingData } from './training-data.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hinm-training-data-'))
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

const idx = (dims: number[], values: number[]): Uint8Array => {
  const bytes = new Uint8Array(4 + 4 * dims.length + values.length)
  bytes.set([0, 0, 8, dims.length])
  const view = new DataView(bytes.buffer)
  dims.forEach((dim, i) => {
    view.setUint32(4 + 4 * i, dim)
  })
  bytes.set(values, 4 + 4 * dims.length)
  return bytes
}

describe('the data of a training lab', () => {
  it('is nothing for Lab A', async () => {
    expect(await openTrainingData('lab-a', {})).toBeNull()
  })

  it('is a text of tokens for Lab B', async () => {
    const path = join(folder, 'text.txt')
    writeFileSync(path, 'abca')
    expect(await openTrainingData('lab-b', { text: path })).toEqual({ kind: 'text', tokens: Int32Array.of(0, 1, 2, 0), symbols: 3 })
  })

  it('refuses what is no text, and a file that is not there', async () => {
    const path = join(folder, 'bytes.bin')
    writeFileSync(path, Uint8Array.of(0x61, 0xff, 0xfe))
    await expect(openTrainingData('lab-b', { text: path })).rejects.toMatchObject({ code: 'DATA_INVALID' })
    await expect(openTrainingData('lab-b', { text: join(folder, 'absent.txt') })).rejects.toMatchObject({ code: 'DATA_MISSING' })
  })

  it('is four IDX files for Lab C, and names the one that is missing', async () => {
    writeFileSync(join(folder, 'train-images-idx3-ubyte'), idx([2, 2, 2], [0, 255, 0, 255, 255, 0, 255, 0]))
    writeFileSync(join(folder, 'train-labels-idx1-ubyte'), idx([2], [0, 2]))
    await expect(openTrainingData('lab-c', { images: folder })).rejects.toMatchObject({
      code: 'DATA_MISSING',
      message: expect.stringContaining('t10k-images') as string,
    })
    writeFileSync(join(folder, 't10k-images-idx3-ubyte'), idx([1, 2, 2], [0, 255, 0, 255]))
    writeFileSync(join(folder, 't10k-labels-idx1-ubyte'), idx([1], [1]))
    expect(await openTrainingData('lab-c', { images: folder })).toMatchObject({ kind: 'classes', classes: 3 })
  })
})
