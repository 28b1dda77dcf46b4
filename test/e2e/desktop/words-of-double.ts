import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { root } from '../hosts/server-host.ts'

const patienceMilliseconds = 15_000

/** Starts an application on the double and returns what it said on stderr, up to the words that are waited for or its end. */
export async function wordsOfDouble(application: string, home: string, words: RegExp): Promise<string> {
  const double = spawn(join(root, 'test', 'double', 'electron'), [application], {
    cwd: root,
    env: { ...process.env, HINM_HOME: home },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const gone = once(double, 'exit')
  let said = ''
  const heard = new Promise<void>((resolve) => {
    double.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      if (words.test(said)) resolve()
    })
  })
  await Promise.race([heard, gone, setTimeout(patienceMilliseconds, undefined, { ref: false })])
  double.kill('SIGTERM')
  await gone
  return said
}
