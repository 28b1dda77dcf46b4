import { caseLabel } from '../contract/case-label.ts'
import type { RunEvent, RunStatus } from '../contract/run.ts'
import type { Api } from './with-app.ts'

/**
 * Follows a run to its end and tells of it on stderr: one line that is rewritten on a terminal, a line a case elsewhere.
 * The first Ctrl-C stops the run in good order, a second one ends the program at once.
 */
export async function follow(api: Api, id: number, after = 0): Promise<RunStatus> {
  const line = new StatusLine()
  let interrupts = 0
  const onInterrupt = (): void => {
    if (++interrupts > 1) process.kill(process.pid, 'SIGKILL')
    line.print('stopping after this case was told to end; press Ctrl-C again to end at once')
    void api.runs.cancel({ id })
  }
  process.on('SIGINT', onInterrupt)
  process.on('SIGTERM', onInterrupt)
  try {
    let status: RunStatus = 'running'
    const tally = { total: 0, done: 0 }
    for await (const event of await api.runs.watch({ id, after })) {
      tell(event, tally, line)
      if (event.type === 'ended') status = event.status
    }
    return status
  } finally {
    line.clear()
    process.off('SIGINT', onInterrupt)
    process.off('SIGTERM', onInterrupt)
  }
}

function tell(event: RunEvent, tally: { total: number; done: number }, line: StatusLine): void {
  const place = `[${Math.min(tally.done + 1, tally.total)}/${tally.total}]`
  switch (event.type) {
    case 'started':
      tally.total = event.total
      break
    case 'case-started':
      tally.done = event.index
      line.show(`[${event.index + 1}/${tally.total}] ${event.label}`)
      break
    case 'case-progress':
      line.show(`${place} ${event.phase} ${Math.floor((event.done / Math.max(event.total, 1)) * 100)} %`)
      break
    case 'case-finished':
      line.print(
        `[${event.case.index + 1}/${tally.total}] ${event.case.status} ${caseLabel(event.case.spec)}${event.case.reason === null ? '' : `: ${event.case.reason}`}`,
      )
      break
    case 'note':
      line.print(event.message)
      break
    case 'ended':
      if (event.reason !== null) line.print(event.reason)
      break
  }
}

/** A line on stderr that is written over; where stderr is no terminal it is left out. */
class StatusLine {
  readonly #terminal = process.stderr.isTTY
  #shown = false

  show(text: string): void {
    if (!this.#terminal) return
    process.stderr.write(`\r\u001B[2K${text.slice(0, Math.max(20, (process.stderr.columns || 80) - 1))}`)
    this.#shown = true
  }

  print(text: string): void {
    this.clear()
    process.stderr.write(`${text}\n`)
  }

  clear(): void {
    if (this.#shown) process.stderr.write('\r\u001B[2K')
    this.#shown = false
  }
}
