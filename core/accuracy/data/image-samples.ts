import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import jpeg from 'jpeg-js'
import { PNG } from 'pngjs'
import type { DataSource } from '../../../contract/data-source.ts'
import { AppError } from '../../../contract/error.ts'
import type { Task } from '../../../contract/task.ts'
import type { Samples } from '../samples.ts'
import { readDataFile } from './data-file.ts'
import { StoredSamples } from './stored-samples.ts'

interface Image {
  width: number
  height: number
  /** Red, green, blue and opacity of each pixel, one byte each. */
  data: Uint8Array
}

/**
 * PNG and JPEG images, one folder a class; classes are numbered in the order of the folder names. The model's input
 * has one channel (grey, ITU-R BT.601 weights) or three. All images have the size of the input: they are not scaled.
 */
export async function openImages(task: Task, source: Extract<DataSource, { format: 'images' }>, base: string): Promise<Samples> {
  const folder = resolve(base, source.folder)
  const [channels = 0, height = 0, width = 0] = task.input.shape
  const stored = channels / task.input.repeat
  if (task.input.shape.length !== 3 || (stored !== 1 && stored !== 3)) {
    throw new AppError(
      'TASK_INVALID',
      `The task "${task.name}" reads images, so its input.shape is [channels, height, width] with 1 or 3 channels, not [${task.input.shape.join(', ')}].`,
    )
  }
  const files = await imageFiles(folder)
  const size = stored * height * width
  const values = new Uint8Array(files.length * size)
  for (const [index, { path }] of files.entries()) {
    const image = decode(await readDataFile(path), path)
    if (image.width !== width || image.height !== height) {
      throw new AppError(
        'DATA_INVALID',
        `The image ${path} is ${image.width}×${image.height}, but the task "${task.name}" needs ${width}×${height}; scale the images first.`,
      )
    }
    putPlanes(image, stored, values.subarray(index * size, (index + 1) * size))
  }
  return new StoredSamples({ task, values, sampleSize: size, labels: { kind: 'classes', values: Int32Array.from(files, (file) => file.label) } })
}

async function imageFiles(folder: string): Promise<{ path: string; label: number }[]> {
  const list = async (path: string): Promise<string[]> => {
    const names = await readdir(path).catch((cause: unknown) => {
      throw new AppError('DATA_MISSING', `The folder of images ${path} could not be read; it must hold one folder a class.`, { cause })
    })
    return names.filter((name) => !name.startsWith('.')).sort((a, b) => (a < b ? -1 : 1))
  }
  const classes = await list(folder)
  const files = await Promise.all(
    classes.map(async (name, label) => (await list(join(folder, name))).map((file) => ({ path: join(folder, name, file), label }))),
  )
  const all = files.flat()
  if (all.length === 0) throw new AppError('DATA_MISSING', `The folder ${folder} holds no images; put them in one folder a class.`)
  return all
}

function decode(bytes: Uint8Array, path: string): Image {
  try {
    return bytes[0] === 0xff ? jpeg.decode(bytes, { useTArray: true, maxMemoryUsageInMB: 256 }) : PNG.sync.read(Buffer.from(bytes))
  } catch (cause) {
    throw new AppError('DATA_INVALID', `The image ${path} cannot be read as PNG or JPEG (${cause instanceof Error ? cause.message : String(cause)}).`, {
      cause,
    })
  }
}

/** Pixels into planes: one of grey, or red, green and blue. */
function putPlanes({ data }: Image, channels: number, into: Uint8Array): void {
  const pixels = into.length / channels
  for (let pixel = 0; pixel < pixels; pixel++) {
    const [red, green, blue] = [data[4 * pixel] ?? 0, data[4 * pixel + 1] ?? 0, data[4 * pixel + 2] ?? 0]
    if (channels === 1) {
      into[pixel] = Math.round(0.299 * red + 0.587 * green + 0.114 * blue)
      continue
    }
    into[pixel] = red
    into[pixels + pixel] = green
    into[2 * pixels + pixel] = blue
  }
}
