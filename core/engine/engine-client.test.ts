import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { EngineClient } from './engine-client.ts'
import type { EngineProcess } from './engine-process.ts'
import type { FromEngine, ToEngine } from './protocol.ts'

/** An engine that does nothing by itself. */
class StillEngine implements EngineProcess {
  readonly posted: ToEngine[] = []
  killed = false
  #messages: (message: unknown) => void = () => undefined
  #exits: (code: number | null, signal: string | null) => void = () => undefined

  post(message: unknown): void {
    this.posted.push(message as ToEngine)
  }
  onMessage(listener: (message: unknown) => void): void {
    this.#messages = listener
  }
  onExit(listener: (code: number | null, signal: string | null) => void): void {
    this.#exits = listener
  }
  kill(): void {
    this.killed = true
    this.#exits(null, 'SIGKILL')
  }
  says(message: FromEngine): void {
    this.#messages(message)
  }
  ends(code: number | null, signal: string | null): void {
    this.#exits(code, signal)
  }
}

const question = { kind: 'environment' } as const
let engines: StillEngine[]
let client: EngineClient

beforeEach(() => {
  vi.useFakeTimers()
  engines = []
  client = new EngineClient(
    () => {
      engines.push(new StillEngine())
      return engines.at(-1)!
    },
    { graceMilliseconds: 1000, silenceSeconds: 5, stallSeconds: 60 },
  )
})
afterEach(() => {
  client.close()
  vi.useRealTimers()
})

const failed = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => 'answered',
    (thrown: unknown) => thrown,
  )

describe('the engine client', () => {
  it('starts an engine with the first request and keeps it', async () => {
    expect(engines).toHaveLength(0)
    for (const id of [1, 2]) {
      const asked = client.ask(question)
      engines[0]!.says({ type: 'answer', id, answer: {} })
      expect(await asked).toEqual({})
    }
    expect(engines).toHaveLength(1)
  })

  it('kills an engine that does not obey a cancel within its grace, and starts another one', async () => {
    const abort = new AbortController()
    const asked = failed(client.ask(question, { signal: abort.signal }))
    abort.abort()
    expect(engines[0]!.posted).toContainEqual({ type: 'cancel', id: 1 })
    await vi.advanceTimersByTimeAsync(999)
    expect(engines[0]!.killed).toBe(false)
    await vi.advanceTimersByTimeAsync(2)
    expect(engines[0]!.killed).toBe(true)
    expect(await asked).toMatchObject({ code: 'CANCELLED' })
    void failed(client.ask(question))
    expect(engines).toHaveLength(2)
  })

  it('leaves an engine alive that obeys a cancel', async () => {
    const abort = new AbortController()
    const asked = failed(client.ask(question, { signal: abort.signal }))
    abort.abort()
    engines[0]!.says({ type: 'failure', id: 1, failure: { code: 'CANCELLED', message: 'The work was cancelled.' } })
    await vi.advanceTimersByTimeAsync(5000)
    expect(await asked).toMatchObject({ code: 'CANCELLED' })
    expect(engines[0]!.killed).toBe(false)
  })

  it('starts nothing for a request that was cancelled before', async () => {
    expect(await failed(client.ask(question, { signal: AbortSignal.abort() }))).toMatchObject({ code: 'CANCELLED' })
    expect(engines).toHaveLength(0)
  })

  it('takes an engine for hung that is silent, not one that only works long', async () => {
    const asked = failed(client.ask(question))
    for (let second = 0; second < 50; second++) {
      await vi.advanceTimersByTimeAsync(1000)
      engines[0]!.says({ type: 'alive' })
    }
    expect(engines[0]!.killed).toBe(false)
    await vi.advanceTimersByTimeAsync(7000)
    expect(engines[0]!.killed).toBe(true)
    expect(await asked).toMatchObject({ code: 'ENGINE_HUNG', message: expect.stringContaining('no sign of life for 5 s') as string })
  })

  it('takes a request for hung that makes no progress although the engine lives', async () => {
    const asked = failed(client.ask(question))
    for (let second = 0; second < 65; second++) {
      await vi.advanceTimersByTimeAsync(1000)
      engines[0]!.says({ type: 'alive' })
    }
    expect(await asked).toMatchObject({ code: 'ENGINE_HUNG', message: expect.stringContaining('no progress for 60 s') as string })
  })

  it.each([
    [null, 'SIGSEGV', 'by signal SIGSEGV'],
    [3, null, 'with exit code 3'],
    [null, null, 'before it had started'],
  ])('tells of an end with code %s and signal %s, and forgets what the dead engine says', async (code, signal, words) => {
    const asked = failed(client.ask(question))
    engines[0]!.ends(code, signal)
    expect(await asked).toMatchObject({ code: 'ENGINE_CRASHED', message: expect.stringContaining(words) as string })
    const again = client.ask(question)
    engines[0]!.says({ type: 'answer', id: 2, answer: { from: { value: 'the dead one' } } })
    engines[1]!.says({ type: 'answer', id: 2, answer: { from: { value: 'the new one' } } })
    expect(await again).toEqual({ from: { value: 'the new one' } })
  })

  it('says in words that no engine could be started', async () => {
    const none = new EngineClient(() => {
      throw new Error('spawn ENOENT')
    })
    expect(await failed(none.ask(question))).toMatchObject({ code: 'ENGINE_UNAVAILABLE', message: expect.stringContaining('spawn ENOENT') as string })
  })
})
