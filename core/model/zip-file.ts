import { promisify } from 'node:util'
import yauzl from 'yauzl'
import { AppError } from '../../contract/error.ts'

/** One file in an archive. */
export interface ZipEntry {
  name: string
  /** Size unpacked. */
  bytes: number
  /** Stored without compression, so that parts of it can be read from the archive itself. */
  stored: boolean
}

/** Real weights shrink a few times; an entry that would grow more than this is taken for an attack on the memory. */
const greatestRatio = 200
const greatestEntries = 1_000_000

type Entry = yauzl.Entry

/**
 * A zip archive that is read entry by entry. Names that leave the archive (absolute, `..`, backslashes), encrypted
 * entries, unknown compression and repeated names are refused; sizes are compared while unpacking.
 */
export class ZipFile {
  readonly entries: ReadonlyMap<string, ZipEntry>
  private readonly path: string
  private readonly zip: yauzl.ZipFile
  private readonly raw: ReadonlyMap<string, Entry>

  private constructor(path: string, zip: yauzl.ZipFile, raw: ReadonlyMap<string, Entry>) {
    this.path = path
    this.zip = zip
    this.raw = raw
    this.entries = new Map([...raw].map(([name, entry]) => [name, { name, bytes: entry.uncompressedSize, stored: entry.compressionMethod === 0 }]))
  }

  /** @throws AppError MODEL_CORRUPT when the archive cannot be trusted */
  static async open(path: string): Promise<ZipFile> {
    const zip = await openArchive(path)
    try {
      return new ZipFile(path, zip, await listEntries(zip, path))
    } catch (error) {
      zip.close()
      throw error
    }
  }

  close(): void {
    this.zip.close()
  }

  /** All bytes of an entry, unpacked. */
  async read(name: string): Promise<Uint8Array> {
    const entry = this.entry(name)
    const result = new Uint8Array(entry.uncompressedSize)
    let filled = 0
    try {
      const stream = await promisify<Entry, NodeJS.ReadableStream>(this.zip.openReadStream.bind(this.zip) as never)(entry)
      for await (const chunk of stream as AsyncIterable<Uint8Array>) {
        result.set(chunk, filled)
        filled += chunk.length
      }
    } catch (cause) {
      throw damaged(this.path, `the entry "${name}" cannot be unpacked (${cause instanceof Error ? cause.message : String(cause)})`)
    }
    if (filled !== result.length) throw damaged(this.path, `the entry "${name}" is shorter than it says`)
    return result
  }

  /** Where the bytes of an entry that is stored without compression begin in the archive. */
  async dataStart(name: string): Promise<number> {
    const entry = this.entry(name)
    try {
      const header = await promisify<Entry, { minimal: true }, { fileDataStart: number }>(this.zip.readLocalFileHeader.bind(this.zip) as never)(entry, {
        minimal: true,
      })
      return header.fileDataStart
    } catch (cause) {
      throw damaged(this.path, `the entry "${name}" cannot be found (${cause instanceof Error ? cause.message : String(cause)})`)
    }
  }

  private entry(name: string): Entry {
    const entry = this.raw.get(name)
    if (!entry) throw damaged(this.path, `the entry "${name}" is missing`)
    return entry
  }
}

const damaged = (path: string, what: string): AppError =>
  new AppError('MODEL_CORRUPT', `The archive ${path} is refused: ${what}. Fetch or export the file again.`)

async function openArchive(path: string): Promise<yauzl.ZipFile> {
  try {
    return await promisify<string, yauzl.Options, yauzl.ZipFile>(yauzl.open)(path, {
      lazyEntries: true,
      autoClose: false,
      strictFileNames: true,
      validateEntrySizes: true,
    })
  } catch (cause) {
    throw damaged(path, cause instanceof Error ? cause.message : String(cause))
  }
}

async function listEntries(zip: yauzl.ZipFile, path: string): Promise<Map<string, Entry>> {
  if (zip.entryCount > greatestEntries) throw damaged(path, `it lists ${zip.entryCount} entries, more than the ${greatestEntries} that are read`)
  const entries = new Map<string, Entry>()
  return await new Promise((resolve, reject) => {
    zip.on('error', (error: Error) => {
      reject(damaged(path, error.message))
    })
    zip.on('end', () => {
      resolve(entries)
    })
    zip.on('entry', (entry: Entry) => {
      const refusal = entryRefusal(entry, entries)
      if (refusal !== null) {
        reject(damaged(path, refusal))
        return
      }
      if (!entry.fileName.endsWith('/')) entries.set(entry.fileName, entry)
      zip.readEntry()
    })
    zip.readEntry()
  })
}

function entryRefusal(entry: Entry, known: ReadonlyMap<string, Entry>): string | null {
  const { fileName, compressedSize, uncompressedSize, compressionMethod } = entry
  if (known.has(fileName)) return `it holds two entries "${fileName}"`
  if (entry.isEncrypted()) return `the entry "${fileName}" is encrypted`
  if (compressionMethod !== 0 && compressionMethod !== 8) return `the entry "${fileName}" is compressed with method ${compressionMethod}, which is not deflate`
  if (uncompressedSize > greatestRatio * Math.max(compressedSize, 1024))
    return `the entry "${fileName}" would grow ${Math.round(uncompressedSize / Math.max(1, compressedSize))} times when unpacked`
  return null
}
