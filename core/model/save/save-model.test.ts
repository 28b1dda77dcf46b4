import { copyFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openModel } from '../open-model.ts'
import type { OpenModel } from '../open-model.ts'
import { saveCopy, saveSafetensors } from './save-model.ts'
import type { SavedLayers } from './save-model.ts'

const sample = join(import.meta.dirname, '../../../samples/fashion/fashion-cnn.onnx')
let folder: string
let source: string
let model: OpenModel
let saved: SavedLayers

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hinm-save-'))
  source = join(folder, 'source.onnx')
  await copyFile(sample, source)
  model = await openModel(source)
  const names = ['conv4/conv4.0', 'fc1.weight']
  const even = (weights: Float32Array): Float32Array => weights.map((weight, i) => (i % 2 === 0 ? weight : 0))
  saved = {
    changes: new Map(names.map((name) => [name, { weights: even(model.weights(name)), bias: model.bias(name)!.map((value) => value + 1) }])),
    // bits 0, 2, 4, 6 of every byte
    masks: new Map(names.map((name) => [name, new Uint8Array(model.weights(name).length / 8).fill(0x55)])),
  }
})
afterAll(async () => {
  await rm(folder, { recursive: true })
})

const same = (a: Float32Array, b: Float32Array): boolean => a.length === b.length && a.every((value, i) => Object.is(value, b[i]))

describe('a saved model', () => {
  it('holds the replaced layers and every other byte as it was', async () => {
    const path = join(folder, 'copy.onnx')
    await saveCopy(path, model, saved, [source])
    const copy = await openModel(path)
    for (const { name } of model.info.layers) {
      expect(same(copy.weights(name), saved.changes.get(name)?.weights ?? model.weights(name))).toBe(true)
      expect(copy.bias(name)).toEqual(saved.changes.get(name)?.bias ?? model.bias(name))
    }
    const [before, after] = [await readFile(source), await readFile(path)]
    // float32 for float32: no length changes, and only the two weights and biases differ
    expect(after.length).toBe(before.length)
    const changed = before.reduce((sum, byte, i) => sum + (byte === after[i] ? 0 : 1), 0)
    expect(changed).toBeLessThanOrEqual(4 * (256 * 2304 + 256 * 256 + 512))
  })

  it('as safetensors opens again with the same values and says where it came from', async () => {
    const path = join(folder, 'layers.safetensors')
    await saveSafetensors(path, model, saved, { pattern: 'n:m', source: model.info.hash }, [source])
    const copy = await openModel(path)
    expect(copy.info.layers.map(({ name, rows, cols }) => [name, rows, cols])).toEqual([
      ['conv4/conv4.0', 256, 2304],
      ['fc1.weight', 256, 256],
    ])
    expect(same(copy.weights('fc1.weight'), saved.changes.get('fc1.weight')!.weights!)).toBe(true)
    expect((await readFile(path)).subarray(8, 400).toString()).toContain(`"source":"${model.info.hash}"`)
  })

  it('is never written over the file that is open, nor through a link to it', async () => {
    const before = await readFile(source)
    await expect(saveCopy(source, model, saved, [source])).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining('is not written over') as string,
    })
    expect(Buffer.compare(await readFile(source), before)).toBe(0)
  })

  it('that does not meet its mask is reported, and a folder that is not there leaves nothing behind', async () => {
    const masks = new Map([['fc1.weight', new Uint8Array(8192)]])
    await expect(saveCopy(join(folder, 'wrong.onnx'), model, { ...saved, masks }, [source])).rejects.toMatchObject({ code: 'VERIFICATION_FAILED' })
    await expect(saveCopy(join(folder, 'absent', 'x.onnx'), model, saved, [source])).rejects.toMatchObject({ code: 'FILE_NOT_READABLE' })
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([])
  })
})
