import { fork, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../contract/error.ts'
import type { MachinePeaks } from '../../native/measuring.ts'
import type { ContestantInfo, ContestantReply, ContestantRequest, ContestantSpec, SampleBlock } from './contestant-protocol.ts'

/** The child's entry: its source in a clone, `contestant.js` beside the bundle otherwise. */
export function contestantEntry(folder = import.meta.dirname): string {
  const source = join(folder, 'contestant-child.ts')
  return existsSync(source) ? source : join(folder, 'contestant.js')
}

/**
 * Read by OpenMP and OpenBLAS when they are loaded: their workers sleep at once between calls instead of spinning, so that
 * they take no processor from the contestant whose turn it is. What the user has set stays.
 */
const sleepingPools = { OMP_WAIT_POLICY: 'passive', OPENBLAS_THREAD_TIMEOUT: '4' }

type Without<T> = T extends unknown ? Omit<T, 'id'> : never

/** One contestant in its own process, so that nothing of another can disturb it. End it with `close`. */
export class ContestantProcess {
  private readonly child: ChildProcess
  private readonly waiting = new Map<number, { resolve: (reply: ContestantReply) => void; reject: (error: Error) => void }>()
  private next = 0

  constructor(entry: string = contestantEntry()) {
    this.child = fork(entry, [], {
      stdio: ['ignore', 2, 2, 'ipc'],
      serialization: 'advanced',
      execArgv: ['--disable-warning=ExperimentalWarning'],
      env: { ...sleepingPools, ...process.env },
    })
    this.child.on('message', (reply: ContestantReply) => {
      this.waiting.get(reply.id)?.resolve(reply)
      this.waiting.delete(reply.id)
    })
    const fail = (cause: string): void => {
      for (const { reject } of this.waiting.values())
        reject(new AppError('ENGINE_CRASHED', `The process of a benchmark contestant ended (${cause}); its times are lost, run the benchmark again.`))
      this.waiting.clear()
    }
    this.child.on('exit', (code, signal) => {
      fail(signal ?? `exit code ${code ?? 'unknown'}`)
    })
    this.child.on('error', ({ message }) => {
      fail(message)
    })
  }

  private ask(request: Without<ContestantRequest>): Promise<ContestantReply> {
    const id = this.next++
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject })
      this.child.send({ ...request, id }, (error) => {
        if (!error) return
        this.waiting.delete(id)
        reject(new AppError('ENGINE_CRASHED', `The process of a benchmark contestant cannot be reached: ${error.message}.`))
      })
    })
  }

  /** @throws Error with code LIBRARY_NOT_FOUND and the reason where the back end is absent. */
  async open(spec: ContestantSpec): Promise<ContestantInfo> {
    const reply = await this.ask({ kind: 'open', spec })
    if ('info' in reply) return reply.info
    throw failure(reply)
  }

  async sample(samples: number, calls: number): Promise<SampleBlock> {
    const reply = await this.ask({ kind: 'sample', samples, calls })
    if ('block' in reply) return reply.block
    throw failure(reply)
  }

  async peaks(threads: number): Promise<MachinePeaks> {
    const reply = await this.ask({ kind: 'peaks', threads })
    if ('peaks' in reply) return reply.peaks
    throw failure(reply)
  }

  /** FLOP/s of fused multiply-adds in registers. */
  async multiplyAddPeak(threads: number): Promise<number> {
    const reply = await this.ask({ kind: 'multiplyAddPeak', threads })
    if ('multiplyAdd' in reply) return reply.multiplyAdd
    throw failure(reply)
  }

  close(): void {
    this.child.removeAllListeners('exit')
    this.child.kill()
  }
}

function failure(reply: ContestantReply): Error {
  const { code, message } = 'message' in reply ? reply : { code: 'INTERNAL', message: 'The process of a benchmark contestant answered another question.' }
  return Object.assign(new Error(message), { code })
}
