import { describe, expect, it } from 'vitest'
import * as v from 'valibot'
import { trainingMethodIds, TrainingEvent, TrainingResult, TrainingSpec, type TrainingRequest } from '../../contract/training.ts'
import { createSamples } from '../../native/training.ts'
import { trainingSweep } from './training-sweep.ts'

const spec = (request: TrainingRequest): TrainingSpec => v.parse(TrainingSpec, request)

/** Two clouds that a line parts: features around +1 or −1. */
const clouds = (count: number) => {
  const labels = Int32Array.from({ length: count }, (_, i) => i % 2)
  const inputs = Float32Array.from({ length: count * 8 }, (_, i) => ((i >> 3) % 2 === 0 ? 1 : -1) + Math.sin(i * 12.9898) * 0.5)
  return createSamples(inputs, 8, labels)
}

describe('a training sweep', () => {
  it('trains every method of the contract, and tells in events what the result says', async () => {
    const events: TrainingEvent[] = []
    const result = await trainingSweep(spec({ lab: 'lab-a', methods: [...trainingMethodIds], seeds: 1, steps: 40 }), { onEvent: (event) => events.push(event) })
    expect(() => v.parse(TrainingResult, structuredClone(result))).not.toThrow()
    for (const event of events) expect(() => v.parse(TrainingEvent, event)).not.toThrow()
    expect(result.runs.map((run) => run.method)).toEqual([...trainingMethodIds])
    expect(result.runs.filter((run) => run.failure !== null)).toEqual([])
    expect(events[0]).toMatchObject({ type: 'started', runs: trainingMethodIds.length, steps: 40 })
    expect(events.at(-1)).toMatchObject({ type: 'ended', status: 'done' })
    // Forty steps with a loss each; every tenth is diagnosed.
    const curves = events.flatMap((event) => (event.type === 'curves' && event.method === 's-ste' ? [event.news] : []))
    expect(curves.flatMap((piece) => piece.lossSteps)).toEqual(Array.from({ length: 40 }, (_, i) => i))
    expect(curves.flatMap((piece) => piece.steps)).toEqual([0, 10, 20, 30])
    // Three sparse layers, each with its own β near the 1.75 of uniform initial weights.
    const scales = curves.flatMap((piece) => piece.scale)[0]
    expect(scales).toHaveLength(3)
    for (const scale of scales ?? []) expect(Math.abs(scale - 1.75)).toBeLessThan(0.15)
  })

  it('gives the same losses again, and the same first loss to methods that begin alike', async () => {
    const once = async () => (await trainingSweep(spec({ lab: 'lab-a', methods: ['dense', 's-ste'], seeds: 2, steps: 30 }))).runs.map((run) => run.loss)
    expect(await once()).toEqual(await once())
  })

  it('never flips a frozen mask', async () => {
    const { runs } = await trainingSweep(spec({ lab: 'lab-a', methods: ['prune-retrain'], seeds: 1, steps: 200 }))
    expect(runs[0]).toMatchObject({ flipsPeak: 0, wrongDirection: 0 })
  })

  it('stops soon after a cancel and keeps the runs that ended', async () => {
    const abort = new AbortController()
    let asked = 0
    const result = await trainingSweep(spec({ lab: 'lab-a', methods: ['dense', 's-ste'], seeds: 1, steps: 500_000 }), {
      signal: abort.signal,
      onEvent: (event) => {
        if (event.type !== 'curves' || asked > 0) return
        asked = performance.now()
        abort.abort()
      },
    })
    expect(result.runs).toEqual([])
    expect(asked).toBeGreaterThan(0)
  })

  it('tells of a run that the data refuse, in one sentence, and goes on', async () => {
    const tokens = Int32Array.from({ length: 30 }, (_, i) => i % 3)
    const { runs } = await trainingSweep(spec({ lab: 'lab-b', methods: ['dense', 's-ste'], seeds: 1, steps: 2 }), {
      data: { kind: 'text', tokens, symbols: 3 },
    })
    expect(runs).toHaveLength(2)
    expect(runs[0]?.failure).toMatch(/^The text has 30 characters, too few: .*use a longer text or a shorter context\.$/)
  })

  it('classifies samples that can be told apart', async () => {
    const data = { kind: 'classes', train: clouds(512), heldOut: clouds(100), classes: 2 } as const
    const { runs } = await trainingSweep(spec({ lab: 'lab-c', methods: ['dense', 'prune-once'], seeds: 1, steps: 60, diagnoseEvery: 0 }), { data })
    for (const run of runs) expect(run.accuracy).toBeGreaterThan(0.95)
  })

  it('refuses what it does not know before any work', () => {
    expect(() => spec({ lab: 'lab-a', methods: ['sgd' as 'dense'] })).toThrow(/The method "sgd" is not known/)
    expect(() => spec({ lab: 'lab-a', methods: ['dense'], seeds: 0 })).toThrow(/A number of seeds of 0 is out of range/)
  })
})
