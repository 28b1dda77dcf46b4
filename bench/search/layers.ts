import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { LayerInfo } from '../../contract/model.ts'
import { openModel } from '../../core/model/open-model.ts'

export interface BenchLayer {
  model: string
  layer: string
  rows: number
  cols: number
  /** M×K row-major. */
  weights: Float32Array
}

const root = join(import.meta.dirname, '..', '..')
const data = process.env.HINM_DATA ?? join(root, '..', 'shared', 'data')
const packages = join(root, 'node_modules')
const shards = Array.from({ length: 7 }, (_, i) => join(packages, '@energetic-ai', 'model-embeddings-en', 'dist', `group1-shard${i + 1}of7`))

const models: { name: string; path: string; external?: ReadonlyMap<string, readonly string[]> }[] = [
  { name: 'fashion-mlp', path: join(data, 'fashion-mnist', 'fashion-mlp.onnx') },
  { name: 'fashion-cnn', path: join(data, 'fashion-mnist', 'fashion-cnn.onnx') },
  { name: 'magika', path: join(data, 'magika', 'magika-standard-v3.3.onnx') },
  { name: 'g2p', path: join(data, 'g2p', 'g2p-en.onnx') },
  { name: 'shakespeare-gpt', path: join(data, 'shakespeare', 'shakespeare-gpt.onnx') },
  { name: 'use-lite', path: join(data, 'use-lite', 'use-lite.onnx'), external: new Map([['use-lite.weights', shards]]) },
  { name: 'ocr', path: join(packages, '@gutenye', 'ocr-models', 'assets', 'ch_PP-OCRv4_rec_infer.onnx') },
]

/** Smaller layers have nothing to search. */
const worthSearching = ({ rows, cols }: LayerInfo): boolean => rows >= 64 && cols >= 64

/** The layers of the test models whose "model/layer" matches; a model that is absent is said on stderr. */
export async function benchLayers(filter: RegExp): Promise<BenchLayer[]> {
  const layers: BenchLayer[] = []
  for (const { name, path, external } of models) {
    if (!existsSync(path)) {
      console.error(`left out: ${name}, because ${path} is absent`)
      continue
    }
    const model = await openModel(path, external ? { data: external } : {})
    for (const info of model.info.layers) {
      if (!worthSearching(info) || !filter.test(`${name}/${info.name}`)) continue
      layers.push({ model: name, layer: info.name, rows: info.rows, cols: info.cols, weights: model.weights(info.name) })
    }
  }
  return layers
}
