import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../hosts/server-host.ts'

/** One change of a bundle: the text that is looked for, and what takes its place. */
export interface Fault {
  bundle: 'main.js' | 'preload.cjs'
  from: string
  to: string
}

export interface PlantedApp {
  folder: string
  remove: () => Promise<void>
}

/** A copy of the built application with faults in it. A fault that finds no place is an error of the test. */
export async function plantedApp(faults: readonly Fault[]): Promise<PlantedApp> {
  const folder = await mkdtemp(join(tmpdir(), 'hinm-planted-'))
  await cp(join(root, 'package.json'), join(folder, 'package.json'))
  await cp(join(root, 'out', 'electron'), join(folder, 'out', 'electron'), { recursive: true })
  await cp(join(root, 'out', 'renderer'), join(folder, 'out', 'renderer'), { recursive: true })
  for (const name of ['node_modules', 'samples', 'native']) await symlink(join(root, name), join(folder, name))
  for (const { bundle, from, to } of faults) {
    const file = join(folder, 'out', 'electron', bundle)
    const text = await readFile(file, 'utf8')
    if (!text.includes(from)) throw new Error(`The fault has no place: ${bundle} holds no ${JSON.stringify(from)}.`)
    await writeFile(file, text.replaceAll(from, to))
  }
  return { folder, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }) }
}
