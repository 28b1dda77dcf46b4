import type { CaseRecord } from '../../../contract/case.ts'
import type { RunDetail, RunEvent, RunStatus } from '../../../contract/run.ts'
import { counted } from '../format/number.ts'
import { duration } from '../format/time.ts'

export interface LogLine {
  seq: number
  at: number
  level: 'info' | 'warning' | 'error'
  text: string
}

export interface CaseProgress {
  phase: string
  done: number
  total: number
}

/** A run as it is known so far: the stored detail, brought up to date by its events. */
export interface LiveRun {
  detail: RunDetail
  /** The last event that was taken in; a watcher that reconnects asks for what came after it. */
  seq: number
  progress: Map<number, CaseProgress>
  labels: Map<number, string>
  log: LogLine[]
}

export function liveRun(detail: RunDetail): LiveRun {
  return { detail, seq: 0, progress: new Map(), labels: new Map(), log: [] }
}

export const isSettled = (record: CaseRecord): boolean => record.status !== 'planned' && record.status !== 'running'

/** Takes in one event. Events that were taken in before are ignored, so a repeated stream changes nothing. */
export function applyEvent(live: LiveRun, event: RunEvent): void {
  if (event.seq <= live.seq) return
  live.seq = event.seq
  const write = (level: LogLine['level'], text: string): void => {
    live.log.push({ seq: event.seq, at: event.at, level, text })
  }
  switch (event.type) {
    case 'started':
      write('info', `Run started: ${counted(event.total, 'case')}.`)
      live.detail.status = 'running'
      return
    case 'case-started':
      live.labels.set(event.caseId, event.label)
      setStatus(live, event.caseId, 'running')
      write('info', `Case ${event.index + 1} started: ${event.label}.`)
      return
    case 'case-progress':
      live.progress.set(event.caseId, { phase: event.phase, done: event.done, total: event.total })
      return
    case 'case-finished':
      live.progress.delete(event.case.id)
      replaceCase(live, event.case)
      write(event.case.status === 'failed' ? 'error' : 'info', finishedText(live, event.case))
      return
    case 'note':
      write(event.level, event.message)
      return
    case 'ended':
      live.progress.clear()
      live.detail.status = event.status
      live.detail.reason = event.reason
      live.detail.endedAt = event.at
      write(event.status === 'failed' ? 'error' : 'info', endedText(event.status, event.reason))
  }
}

function setStatus(live: LiveRun, caseId: number, status: CaseRecord['status']): void {
  const record = live.detail.cases.find((candidate) => candidate.id === caseId)
  if (record) record.status = status
}

function replaceCase(live: LiveRun, record: CaseRecord): void {
  const place = live.detail.cases.findIndex((candidate) => candidate.id === record.id)
  if (place < 0) live.detail.cases.push(record)
  else live.detail.cases[place] = record
}

function finishedText(live: LiveRun, record: CaseRecord): string {
  const label = live.labels.get(record.id)
  const subject = `Case ${record.index + 1}${label === undefined ? '' : `, ${label},`} ${record.status}`
  if (record.reason !== null) return `${subject}: ${record.reason}`
  return record.result ? `${subject} in ${duration(record.result.seconds)}.` : `${subject}.`
}

function endedText(status: RunStatus, reason: string | null): string {
  return reason === null ? `Run ${status}.` : `Run ${status}: ${reason}`
}

/** The log as text to copy: one line an entry, ISO time first, so that it means the same everywhere. */
export function logText(lines: readonly LogLine[]): string {
  return lines.map((line) => `${new Date(line.at).toISOString()} ${line.level.padEnd(7)} ${line.text}`).join('\n')
}

export interface TimeLeft {
  seconds: number
  /** A model that is still to come has no finished case yet, so that its share is not in the figure. */
  atLeast: boolean
}

/**
 * What the rest of the run will take if the cases to come cost as much as the finished ones of the same model; null
 * before the first case is finished.
 */
export function timeLeft(live: LiveRun): TimeLeft | null {
  const finished = live.detail.cases.flatMap((record) =>
    record.status === 'done' && record.result ? [{ model: record.spec.model, seconds: record.result.seconds }] : [],
  )
  if (finished.length === 0) return null
  const means = new Map(
    [...Map.groupBy(finished, (one) => one.model)].map(([model, ones]) => [model, ones.reduce((sum, one) => sum + one.seconds, 0) / ones.length]),
  )
  const open = live.detail.cases.filter((record) => !isSettled(record))
  const seconds = open.reduce((sum, record) => sum + (means.get(record.spec.model) ?? 0) * (1 - begun(live, record)), 0)
  return { seconds, atLeast: open.some((record) => !means.has(record.spec.model)) }
}

function begun(live: LiveRun, record: CaseRecord): number {
  const progress = live.progress.get(record.id)
  return progress && progress.total > 0 ? Math.min(1, progress.done / progress.total) : 0
}
