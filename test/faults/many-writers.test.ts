import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openHistory } from '../../db/history.ts'
import { addRun } from '../../db/testing/example-rows.ts'
import { startProgram } from './start-program.ts'

it('no update is lost when four processes write a thousand times each', { timeout: 180_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hinm-writers-'))
  const file = join(folder, 'history.db')
  const history = openHistory(file)
  try {
    const id = await history.write(() => addRun(history, 0))
    const writers = Array.from({ length: 4 }, () => startProgram('writer.ts', [file, String(id), '1000']))
    // A fifth face reads all the time and is never refused.
    const writing = new AbortController()
    const reader = (async () => {
      while (!writing.signal.aborted) {
        expect(Number(history.runs.get(id)!.note)).toBeGreaterThanOrEqual(0)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    })()
    for (const writer of writers) expect(await writer.ended, writer.errors()).toBe(0)
    writing.abort()
    await reader
    expect(history.runs.get(id)!.note).toBe('4000')
    expect(history.maintenance.problems()).toEqual([])
  } finally {
    history.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
