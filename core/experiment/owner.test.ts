import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { Lease } from '../../db/leases.ts'
import { isAlive, thisOwner } from './owner.ts'

const self = thisOwner()
const lease = (changes: Partial<Lease>): Lease => ({ runId: 1, ...self, owner: 'other', beatAt: 1_000_000, ...changes })

describe('the owner of a run', () => {
  it('is alive when it is this process itself', () => {
    expect(isAlive(lease({ owner: self.owner, pid: 2 ** 22 + 1 }), self, 9e12)).toBe(true)
  })

  it('is alive while its process lives, however long ago it gave a sign: a suspended computer does not end runs', () => {
    expect(isAlive(lease({}), self, 9e12)).toBe(true)
  })

  it('is gone once its process has ended', async () => {
    const child = spawn(process.execPath, ['-e', ''])
    await once(child, 'exit')
    expect(isAlive(lease({ pid: child.pid! }), self, 1_000_000)).toBe(false)
  })

  it.skipIf(process.platform !== 'linux')('is gone when its number belongs to another process by now', () => {
    expect(isAlive(lease({ processStart: `another boot/1` }), self, 1_000_000)).toBe(false)
  })

  it('on another machine is judged by its signs of life', () => {
    expect(isAlive(lease({ machine: 'elsewhere', pid: 1 }), self, 1_059_000)).toBe(true)
    expect(isAlive(lease({ machine: 'elsewhere', pid: 1 }), self, 1_061_000)).toBe(false)
  })

  it('is not told apart by names: the machine is a hash', () => {
    expect(self.machine).toMatch(/^[0-9a-f]{16}$/)
  })
})
