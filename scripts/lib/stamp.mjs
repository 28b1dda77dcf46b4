// Steps that run again only when what they read has changed.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, say, seconds } from './process.mjs'

const skipped = new Set(['node_modules', 'build', 'out', 'dist', 'test-results'])

/** All files under these files and folders of the clone, sorted. */
function filesUnder(paths) {
  return paths.flatMap((path) => {
    const full = join(root, path)
    if (!existsSync(full)) return []
    let entries
    try {
      entries = readdirSync(full, { withFileTypes: true })
    } catch {
      return [path]
    }
    return filesUnder(entries.filter((entry) => !skipped.has(entry.name)).map((entry) => join(path, entry.name)))
  })
}

/** A hash over names and contents. */
export function hashOf(paths) {
  const hash = createHash('sha256')
  for (const file of filesUnder(paths).sort())
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)))
      .update('\0')
  return hash.digest('hex')
}

/**
 * Runs `step` unless it already ran for this key. The stamp is taken away before and written after, so that a step
 * that is stopped half-way runs again.
 */
export function once(name, key, step) {
  const file = join(root, 'node_modules', '.hinm-setup', name)
  if (existsSync(file) && readFileSync(file, 'utf8') === key) return
  rmSync(file, { force: true })
  const start = Date.now()
  step()
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, key)
  say(`${name}: ${seconds(start)}`)
}
