import { AppError } from '../../../contract/error.ts'
import type { ElementType } from '../element-type.ts'
import { openModel } from '../open-model.ts'
import type { LayerChange, OpenModel } from '../open-model.ts'
import { safetensorsParts } from './safetensors-parts.ts'
import { writeBeside } from './write-beside.ts'

/** What is saved: replaced layers, and the masks that they must still meet when they are read again. */
export interface SavedLayers {
  changes: ReadonlyMap<string, LayerChange>
  /** Bit r·K + c of the GEMM view, least significant bit first; by layer. */
  masks: ReadonlyMap<string, Uint8Array>
}

/**
 * Saves a copy of a model in its own format with layers replaced, then reads it again and checks every weight.
 * @param sources files of the open model
 * @throws AppError VERIFICATION_FAILED naming layer and place; what was written is then left for inspection
 */
export async function saveCopy(path: string, model: OpenModel, saved: SavedLayers, sources: readonly string[]): Promise<void> {
  await writeBeside(path, [model.withChanges(saved.changes)], sources)
  await verifySaved(path, model, saved)
}

/**
 * Saves the layers of a model as safetensors, each as the M×K matrix of its GEMM view in float32, with their biases
 * as "<layer>.bias".
 * @param metadata texts: pattern, orders, saliency, version of the app, hash of the source
 */
export async function saveSafetensors(
  path: string,
  model: OpenModel,
  saved: SavedLayers,
  metadata: Readonly<Record<string, string>>,
  sources: readonly string[],
): Promise<void> {
  const tensors = [...saved.changes].flatMap(([name, { weights, bias }]) => {
    const layer = model.info.layers.find((candidate) => candidate.name === name)
    if (!layer) throw new AppError('NOT_FOUND', `The model ${model.info.name} has no layer "${name}".`)
    const type: ElementType = 'float32'
    return [
      { name, type, shape: [layer.rows, layer.cols], values: weights ?? model.weights(name) },
      ...(bias ? [{ name: `${name}.bias`, type, shape: [layer.rows], values: bias }] : []),
    ]
  })
  await writeBeside(path, safetensorsParts(tensors, metadata), sources)
  await verifySaved(path, model, saved)
}

async function verifySaved(path: string, model: OpenModel, { changes, masks }: SavedLayers): Promise<void> {
  const written = await openModel(path)
  for (const [name, { weights }] of changes) {
    const found = written.weights(name)
    const wanted = weights ?? model.weights(name)
    const exact = written.info.layers.find((layer) => layer.name === name)?.dtype === 'float32'
    const bits = masks.get(name)
    const wrong = found.findIndex((value, i) => (exact && !Object.is(value, wanted[i])) || (bits !== undefined && !isKept(bits, i) && value !== 0))
    if (wrong >= 0) {
      throw new AppError(
        'VERIFICATION_FAILED',
        `The file ${path} was written and read again, and weight ${wrong} of the layer "${name}" is ${found[wrong]} instead of ${wanted[wrong]}; do not use the file.`,
      )
    }
  }
}

const isKept = (bits: Uint8Array, i: number): boolean => ((bits[i >> 3]! >> (i & 7)) & 1) === 1
