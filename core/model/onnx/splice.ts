import { PbfWriter } from 'pbf'
import type { MessageRange } from './proto.ts'

/** Replaces the bytes [start, end) of the file, which lie in the message `within`, by `bytes`. */
export interface Edit {
  start: number
  end: number
  bytes: Uint8Array
  within: MessageRange | null
}

/** A number in protobuf's variable-length form. */
export function varint(value: number): Uint8Array {
  const writer = new PbfWriter()
  writer.writeVarint(value)
  return writer.finish()
}

/**
 * A copy of the file with the edits made and the lengths of all enclosing messages set right; every other byte stays
 * as it was. Edits must not overlap.
 */
export function splice(bytes: Uint8Array, edits: readonly Edit[]): Uint8Array {
  const all = [...edits, ...lengthEdits(edits)].sort((a, b) => a.start - b.start || a.end - b.end)
  const size = all.reduce((sum, edit) => sum + edit.bytes.length - (edit.end - edit.start), bytes.length)
  const result = new Uint8Array(size)
  let from = 0
  let to = 0
  for (const edit of all) {
    result.set(bytes.subarray(from, edit.start), to)
    to += edit.start - from
    result.set(edit.bytes, to)
    to += edit.bytes.length
    from = edit.end
  }
  result.set(bytes.subarray(from), to)
  return result
}

/** Innermost first, because a longer length field inside makes the message around it longer too. */
function lengthEdits(edits: readonly Edit[]): Edit[] {
  const growth = new Map<MessageRange, number>()
  for (const edit of edits) {
    const added = edit.bytes.length - (edit.end - edit.start)
    for (let message = edit.within; message; message = message.parent) growth.set(message, (growth.get(message) ?? 0) + added)
  }
  const innermostFirst = [...growth.keys()].sort((a, b) => depthOf(b) - depthOf(a))
  const result: Edit[] = []
  for (const message of innermostFirst) {
    const added = growth.get(message) ?? 0
    if (added === 0) continue
    const length = varint(message.end - message.start + added)
    const longer = length.length - (message.start - message.lengthAt)
    for (let outer = message.parent; outer; outer = outer.parent) growth.set(outer, (growth.get(outer) ?? 0) + longer)
    result.push({ start: message.lengthAt, end: message.start, bytes: length, within: message.parent })
  }
  return result
}

function depthOf(message: MessageRange): number {
  let depth = 0
  for (let outer = message.parent; outer; outer = outer.parent) depth += 1
  return depth
}
