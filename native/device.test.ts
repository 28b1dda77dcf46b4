import { expect, test } from 'vitest'
import { devices, timeGpuProduct } from './device.ts'
import { pack } from './kernels.ts'
import type { Order } from './permutation.ts'

test('the machine says which GPUs it has, or in one sentence why it has none', async () => {
  const list = await devices()
  if (list.devices.length === 0) {
    expect(list.driver.value).toBeNull()
    expect(list.driver.reason).toMatch(/^(No NVIDIA driver was found|The NVIDIA driver|The GPU failed).*\.$/)
  } else {
    expect(list.driver.value).toMatch(/^\d+\.\d+$/)
  }
  for (const device of list.devices) {
    expect(device.usable).toBe(device.reason === null)
    for (const fact of Object.values(device.facts)) expect(fact.value === null ? fact.reason : 'known').toBeTruthy()
  }
})

test('a product is timed on the GPU, or one sentence says why there is none', async () => {
  // Four rows, four columns, 2:4 keeps the first two columns of every row.
  const weights = Float32Array.from({ length: 16 }, (_, i) => i + 1)
  const packed = await pack({
    weights,
    rows: 4,
    cols: 4,
    pattern: { kind: 'hinm', vector: 4, vectorSparsity: 0, n: 2, m: 4, block: 0, sparsity: 0 },
    order: {
      rows: 4,
      cols: 4,
      strategy: 'none',
      reason: null,
      outputOrder: Uint32Array.of(0, 1, 2, 3),
      vector: 4,
      keptColumns: 4,
      columns: Uint32Array.of(0, 1, 2, 3),
      evaluations: 0,
      seconds: 0,
    } as Order,
    mask: { rows: 4, cols: 4, bits: Uint8Array.of(0x33, 0x33), kept: 8 },
  })
  const usable = (await devices()).devices[0]?.usable ?? false
  const timing = timeGpuProduct({ packed, weights, columns: 8, type: 'bf16', seed: 1, limitSeconds: 0.2, device: 0 })
  if (usable) {
    expect((await timing).passed).toBe(true)
    expect((await timing).sparse.samples.length).toBeGreaterThan(0)
  } else {
    await expect(timing).rejects.toMatchObject({ code: 'DEVICE_UNAVAILABLE' })
  }
})
