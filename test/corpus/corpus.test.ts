import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openModel } from '../../core/model/open-model.ts'
import { counting, onnx } from './build-files.ts'
import { corpus, lateRefusals } from './manifest.ts'

let root: string
let count = 0
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'hinm-corpus-'))
})
afterAll(async () => {
  await rm(root, { recursive: true })
})

/** Writes the files into a fresh folder and gives the path of the first. */
async function written(files: Record<string, Uint8Array>): Promise<string> {
  const folder = await mkdtemp(join(root, `${count++}-`))
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes)
  return join(folder, Object.keys(files)[0]!)
}

describe('the corpus of model files', () => {
  for (const { name, files, opens, refused } of corpus) {
    it(name, async () => {
      const path = await written(files)
      if (refused) {
        await expect(openModel(path)).rejects.toMatchObject({ code: refused.code, message: expect.stringContaining(refused.text) as string })
        return
      }
      const model = await openModel(path)
      expect(model.info.layers.map((layer) => [layer.name, layer.rows, layer.cols])).toEqual(opens!.layers.map(([layer, rows, cols]) => [layer, rows, cols]))
      model.info.layers.forEach((layer, i) => {
        const reason = opens!.layers[i]![3]
        expect(layer.eligible).toBe(reason === null)
        if (reason) expect(layer.reason).toMatch(reason)
      })
      if (opens!.values) {
        const { layer, first } = opens!.values
        expect([...model.weights(layer).subarray(0, first.length)]).toEqual(first)
      }
    })
  }

  for (const { name, bytes, text } of lateRefusals) {
    it(`${name} (when its values are read)`, async () => {
      const model = await openModel(await written({ 'm.onnx': bytes }))
      expect(() => model.weights('w')).toThrow(text)
    })
  }

  it('ONNX: external data behind a link is refused', async () => {
    const tensor = { name: 'w', dims: [32, 2], external: { location: 'link.bin' } }
    const path = await written({ 'm.onnx': onnx({ nodes: [{ op: 'MatMul', inputs: ['x', 'w'], outputs: ['y'] }], tensors: [tensor] }), 'w.bin': counting(64) })
    await symlink(join(path, '..', 'w.bin'), join(path, '..', 'link.bin'))
    await expect(openModel(path)).rejects.toMatchObject({ code: 'MODEL_CORRUPT', message: expect.stringContaining('is not a plain file') as string })
  })

  it('a missing file and a folder each give one sentence', async () => {
    await expect(openModel(join(root, 'nothing.onnx'))).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' })
    await expect(openModel(root)).rejects.toMatchObject({ code: 'FILE_NOT_READABLE', message: expect.stringContaining('is a folder') as string })
  })
})
