import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const programs = join(import.meta.dirname, 'programs')

export interface Program {
  child: ChildProcess
  /** Lines of stdout so far. */
  lines: string[]
  errors: () => string
  /** Waits for a line, or fails when the program ends without it. */
  line: (text: string) => Promise<void>
  /** Waits for the end; the exit code, or the signal. */
  ended: Promise<number | string | null>
}

/** A program of its own under the Node that runs the tests. */
export function start(command: string, args: readonly string[], options: SpawnOptions = {}): Program {
  const env = { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'hinm-compile-cache'), ...options.env }
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options, env })
  const lines: string[] = []
  let rest = ''
  let errors = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const parts = `${rest}${text}`.split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts)
    child.emit('lines')
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const ended = once(child, 'close').then(([code, signal]: (number | string | null)[]) => signal ?? code ?? null)
  const line = async (text: string): Promise<void> => {
    while (!lines.includes(text)) {
      const over = await Promise.race([once(child, 'lines').then(() => false), ended.then(() => true)])
      if (over && !lines.includes(text)) throw new Error(`the program ended without "${text}": ${errors}`)
    }
  }
  return { child, lines, errors: () => errors, line, ended }
}

export const startProgram = (name: string, args: readonly string[], options?: SpawnOptions): Program =>
  start(process.execPath, [join(programs, name), ...args], options)
