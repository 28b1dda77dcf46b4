import { EventEmitter } from 'node:events'
import { notEmulated } from './strict.ts'

/** An emitter that refuses listeners for events that the double never emits, because such a listener would only seem to be tested. */
export class KnownEmitter extends EventEmitter {
  private readonly known: ReadonlySet<string>
  private readonly owner: string

  constructor(owner: string, known: readonly string[]) {
    super()
    this.owner = owner
    this.known = new Set(known)
    this.on('newListener', (event: string | symbol) => {
      if (typeof event === 'string' && event !== 'newListener' && event !== 'removeListener' && !this.known.has(event))
        throw notEmulated(`the event "${event}" of ${this.owner}`)
    })
  }
}
