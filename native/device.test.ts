import { expect, test } from 'vitest'
import { devices } from './device.ts'

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
