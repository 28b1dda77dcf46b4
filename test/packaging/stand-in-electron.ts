import { createPackage } from '@electron/asar'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** By this text the fuses are found in Electron's binary; a version, their number, and a character for each follow. */
const fuseSentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'
const fuseVersion = 1
/** As Electron 45 leaves the factory: '1' on, '0' off. */
const factoryFuses = '100011001'

/**
 * A folder that electron-builder takes for an unpacked Electron: a binary that holds nothing but fuses, and an empty
 * default application.
 */
export async function standInElectron(folder: string, version: string): Promise<void> {
  await mkdir(join(folder, 'resources'), { recursive: true })
  const wire = Buffer.concat([Buffer.from(fuseSentinel), Buffer.from([fuseVersion, factoryFuses.length]), Buffer.from(factoryFuses)])
  await writeFile(join(folder, 'electron'), Buffer.concat([Buffer.alloc(1024), wire, Buffer.alloc(1024)]), { mode: 0o755 })
  await writeFile(join(folder, 'version'), version)
  await writeFile(join(folder, 'LICENSE'), 'A stand-in for Electron.\n')
  const empty = await mkdtemp(join(tmpdir(), 'hinm-default-app-'))
  await writeFile(join(empty, 'main.js'), '')
  await createPackage(empty, join(folder, 'resources', 'default_app.asar'))
  await rm(empty, { recursive: true })
}
