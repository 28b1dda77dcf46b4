import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../contract/error.ts'
import type { LabId } from '../../contract/training.ts'
import { createSamples, type SampleSet } from '../../native/training.ts'
import { readDataFile } from '../accuracy/data/data-file.ts'
import { readIdx } from '../accuracy/data/idx.ts'
import { dataFolder } from '../accuracy/task-paths.ts'
import type { LabData } from '../training/labs.ts'
import { textTokens } from '../training/text-tokens.ts'

export interface TrainingDataPaths {
  /** A text file for Lab B, gzip or plain; the project's own sample text where it is not given. */
  text?: string
  /** A folder with the four IDX files of an image set under their usual names, for Lab C. */
  images?: string
}

/** Where Debian's package dataset-fashion-mnist puts the 60,000 training images. */
const systemImages = '/usr/share/datasets/fashion-mnist'

/**
 * Reads what a lab trains on; Lab A needs nothing.
 * @throws AppError DATA_MISSING or DATA_INVALID with one sentence
 */
export async function openTrainingData(lab: LabId, paths: TrainingDataPaths): Promise<LabData> {
  if (lab === 'lab-a') return null
  if (lab === 'lab-b') {
    const bytes = await readDataFile(paths.text ?? join(dataFolder(), 'shakespeare', 'tinyshakespeare.txt.gz'))
    return textTokens(decodeText(bytes))
  }
  const folder = paths.images ?? systemImages
  const [train, heldOut] = [await imageSet(folder, 'train'), await imageSet(folder, 't10k')]
  return { kind: 'classes', train: train.samples, heldOut: heldOut.samples, classes: Math.max(train.classes, heldOut.classes) }
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new AppError('DATA_INVALID', 'The text is not valid UTF-8; save it as UTF-8 and try again.', { cause })
  }
}

function imageFile(folder: string, name: string): string {
  const found = [`${name}.gz`, name].map((file) => join(folder, file)).find((path) => existsSync(path))
  if (found) return found
  throw new AppError(
    'DATA_MISSING',
    `The folder ${folder} has no ${name}.gz; Lab C needs the four IDX files of an image set, such as Debian's package dataset-fashion-mnist has them.`,
  )
}

/** Images as bytes / 255, one row a sample. */
async function imageSet(folder: string, part: 'train' | 't10k'): Promise<{ samples: SampleSet; classes: number }> {
  const imagePath = imageFile(folder, `${part}-images-idx3-ubyte`)
  const labelPath = imageFile(folder, `${part}-labels-idx1-ubyte`)
  const images = readIdx(await readDataFile(imagePath), imagePath)
  const labels = readIdx(await readDataFile(labelPath), labelPath)
  const features = images.dims.slice(1).reduce((product, dim) => product * dim, 1)
  const classes = labels.values.reduce((most, label) => Math.max(most, label), 0) + 1
  return {
    samples: createSamples(
      Float32Array.from(images.values, (value) => value / 255),
      features,
      Int32Array.from(labels.values),
    ),
    classes,
  }
}
