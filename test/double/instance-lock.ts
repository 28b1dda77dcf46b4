import { mkdirSync, readdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type OnSecond = (commandLine: string[], folder: string) => void

/**
 * One instance a profile: the first holds a file with its process id, later ones leave a note and are refused.
 * A lock whose holder is gone is taken over.
 */
export function takeLock(profile: string, onSecond: OnSecond): boolean {
  const lock = join(profile, 'double.lock')
  const notes = join(profile, 'double-notes')
  mkdirSync(notes, { recursive: true })
  if (holderLives(lock)) {
    writeFileSync(join(notes, `${process.pid}.json`), JSON.stringify({ commandLine: process.argv, folder: process.cwd() }))
    return false
  }
  writeFileSync(lock, String(process.pid))
  process.on('exit', () => {
    rmSync(lock, { force: true })
  })
  watch(notes, () => {
    readNotes(notes, onSecond)
  }).unref()
  return true
}

function holderLives(lock: string): boolean {
  try {
    process.kill(Number(readFileSync(lock, 'utf8')), 0)
    return true
  } catch {
    return false
  }
}

function readNotes(notes: string, onSecond: OnSecond): void {
  for (const name of readdirSync(notes)) {
    const file = join(notes, name)
    try {
      const { commandLine, folder } = JSON.parse(readFileSync(file, 'utf8')) as { commandLine: string[]; folder: string }
      rmSync(file)
      onSecond(commandLine, folder)
    } catch {
      // Not yet written to the end; the watcher calls again when it is.
    }
  }
}
