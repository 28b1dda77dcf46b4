import { defineStore } from 'pinia'
import { ref } from 'vue'
import { failureOf } from '../../../contract/error.ts'
import type { RunEvent } from '../../../contract/run.ts'
import { useClient } from '../client.ts'
import { applyEvent, liveRun, type LiveRun } from './live-run.ts'

const flushMilliseconds = 33
const firstRetryMilliseconds = 300
const lastRetryMilliseconds = 5000

/** The run that is on screen: its detail and everything that its event stream brings. */
export const useRunStore = defineStore('run', () => {
  const client = useClient()
  const live = ref<LiveRun | null>(null)
  const failure = ref<string | null>(null)
  /** Why the stream was lost, while it is being opened again. */
  const lost = ref<string | null>(null)
  let watching = new AbortController()

  /** Loads a run and follows it until it ends or another one is opened. */
  async function open(id: number): Promise<void> {
    close()
    const { signal } = watching
    try {
      const detail = await client.runs.get({ id })
      if (signal.aborted) return
      live.value = liveRun(detail)
    } catch (thrown) {
      failure.value = failureOf(thrown).message
      return
    }
    await follow(id, signal)
  }

  function close(): void {
    watching.abort()
    watching = new AbortController()
    live.value = null
    failure.value = null
    lost.value = null
  }

  async function follow(id: number, signal: AbortSignal): Promise<void> {
    const batch = batched(signal)
    const left = (): boolean => signal.aborted
    let retry = firstRetryMilliseconds
    while (!left()) {
      try {
        for await (const event of await client.runs.watch({ id, after: batch.seq() }, { signal })) {
          lost.value = null
          retry = firstRetryMilliseconds
          batch.add(event)
        }
        break
      } catch (thrown) {
        if (left()) return
        if (failureOf(thrown).code === 'NOT_FOUND') break
        lost.value = failureOf(thrown).message
        await pause(retry, signal)
        retry = Math.min(retry * 2, lastRetryMilliseconds)
      }
    }
    batch.flush()
    if (!left()) await refresh(id, signal)
  }

  /** After the stream the stored run is the truth: an interrupted case has no last event. */
  async function refresh(id: number, signal: AbortSignal): Promise<void> {
    lost.value = null
    const detail = await client.runs.get({ id })
    if (signal.aborted || !live.value) return
    live.value.progress.clear()
    live.value.detail = detail
  }

  /** Events go in together every 33 ms: thousands of single updates would make the page deaf. */
  function batched(signal: AbortSignal) {
    let waiting: RunEvent[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const flush = (): void => {
      clearTimeout(timer)
      timer = undefined
      if (signal.aborted || !live.value) return
      for (const event of waiting) applyEvent(live.value, event)
      waiting = []
    }
    return {
      add(event: RunEvent): void {
        waiting.push(event)
        timer ??= setTimeout(flush, flushMilliseconds)
      },
      flush,
      seq: (): number => waiting.at(-1)?.seq ?? live.value?.seq ?? 0,
    }
  }

  async function cancel(): Promise<void> {
    if (live.value) await client.runs.cancel({ id: live.value.detail.id })
  }

  /** Goes on with the cases that are not finished, and follows the run again. */
  async function resume(): Promise<void> {
    if (!live.value) return
    const { id } = await client.runs.resume({ id: live.value.detail.id })
    const shown = live.value
    const { signal } = watching
    shown.detail = await client.runs.get({ id })
    void follow(id, signal)
  }

  return { live, failure, lost, open, close, cancel, resume }
})

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
}
