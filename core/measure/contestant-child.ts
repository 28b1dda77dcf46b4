import { performance } from 'node:perf_hooks'
import type { ProductCheck } from '../../native/kernels.ts'
import { checkContestant, machinePeaks, multiplyAddPeak, openContestant, randomOperands, sampleContestant } from '../../native/measuring.ts'
import type { ContestantInfo, ContestantReply, ContestantRequest, ContestantSpec, SampleBlock } from './contestant-protocol.ts'
import { openOnnxProduct } from './onnx-matmul.ts'

/** The process of one contestant: it opens one product, checks it, and samples it when asked. Started by contestant-process.ts. */

interface Opened {
  info: ContestantInfo
  sample(samples: number, calls: number): Promise<SampleBlock>
}

async function openNative(spec: ContestantSpec & { backend: Exclude<ContestantSpec['backend'], 'onnxruntime'> }): Promise<Opened> {
  const contestant = await openContestant(spec)
  const first = sampleContestant(contestant, 1, 1)
  const { name, operandSets, packMilliseconds, bytes, theoryBytes, denseBytes } = contestant
  const info = {
    name,
    operandSets,
    packMilliseconds,
    bytes,
    theoryBytes,
    denseBytes,
    firstCallMilliseconds: first.wall[0] ?? NaN,
    check: checkContestant(contestant),
  }
  const sample = (samples: number, calls: number): Promise<SampleBlock> => {
    const { wall, processor } = sampleContestant(contestant, samples, calls)
    return Promise.resolve({ wall: Array.from(wall), processor: Array.from(processor) })
  }
  return { info, sample }
}

async function openOnnx(spec: ContestantSpec): Promise<Opened> {
  if (spec.caches !== 'warm') throw Object.assign(new Error(`it is timed warm only, and ${spec.caches} was asked for`), { code: 'LIBRARY_NOT_FOUND' })
  const { weights, activations } = randomOperands(spec)
  const product = await openOnnxProduct(weights, activations, spec, spec.threads)
  const timed = async (calls: number): Promise<{ wall: number; processor: number }> => {
    const before = process.cpuUsage()
    const start = performance.now()
    for (let call = 0; call < calls; call++) await product.run()
    const wall = (performance.now() - start) / calls
    const { user, system } = process.cpuUsage(before)
    return { wall, processor: (user + system) / 1e3 / calls }
  }
  const first = await timed(1)
  const denseBytes = weights.byteLength
  const info = {
    name: product.name,
    operandSets: 1,
    packMilliseconds: 0,
    firstCallMilliseconds: first.wall,
    bytes: denseBytes,
    theoryBytes: denseBytes,
    denseBytes,
    check: checkRows(weights, activations, product.output, spec),
  }
  const sample = async (samples: number, calls: number): Promise<SampleBlock> => {
    const block: SampleBlock = { wall: [], processor: [] }
    for (let i = 0; i < samples; i++) {
      const { wall, processor } = await timed(calls)
      block.wall.push(wall)
      block.processor.push(processor)
    }
    return block
  }
  return { info, sample }
}

/** Sixteen rows spread over the output against float64, and every element for NaN. */
export function checkRows(weights: Float32Array, activations: Float32Array, output: Float32Array, { rows, cols, columns }: ContestantSpec): ProductCheck {
  const tolerance = 1e-5
  let differences = output.some((value) => Number.isNaN(value)) ? NaN : 0
  let squares = 0
  let maxError = differences
  for (let picked = 0; picked < Math.min(16, rows); picked++) {
    const row = Math.floor((picked * rows) / Math.min(16, rows))
    const sums = new Float64Array(columns)
    for (let k = 0; k < cols; k++) {
      const weight = weights[row * cols + k] ?? NaN
      for (let j = 0; j < columns; j++) sums[j] = (sums[j] ?? NaN) + weight * (activations[k * columns + j] ?? NaN)
    }
    for (const [j, expected] of sums.entries()) {
      const difference = Math.abs((output[row * columns + j] ?? NaN) - expected)
      differences += difference ** 2
      squares += expected ** 2
      maxError = Math.max(maxError, difference)
    }
  }
  const relativeError = differences === 0 ? 0 : Math.sqrt(differences / squares)
  return { relativeError, maxError, tolerance, passed: relativeError <= tolerance }
}

const open = (spec: ContestantSpec): Promise<Opened> => (spec.backend === 'onnxruntime' ? openOnnx(spec) : openNative({ ...spec, backend: spec.backend }))

let opened: Opened | undefined

async function answer(request: ContestantRequest): Promise<ContestantReply> {
  const { id } = request
  switch (request.kind) {
    case 'open':
      opened = await open(request.spec)
      return { id, info: opened.info }
    case 'sample':
      if (!opened) return { id, code: 'INTERNAL', message: 'Nothing was opened before sampling.' }
      return { id, block: await opened.sample(request.samples, request.calls) }
    case 'peaks':
      return { id, peaks: await machinePeaks(request.threads) }
    case 'multiplyAddPeak':
      return { id, multiplyAdd: multiplyAddPeak(request.threads) }
  }
}

process.on('message', (request: ContestantRequest) => {
  answer(request).then(
    (reply) => process.send?.(reply),
    (thrown: unknown) => {
      const { code, message } = thrown as { code?: string; message?: string }
      process.send?.({ id: request.id, code: code ?? 'INTERNAL', message: message ?? String(thrown) } satisfies ContestantReply)
    },
  )
})
