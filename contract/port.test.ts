import { expect, it } from 'vitest'
import { makePort } from './port.ts'

it('hands on what arrives, also what arrived before anybody listened', () => {
  const { port, deliver } = makePort(() => undefined)
  const heard: unknown[] = []
  deliver('early')
  port.onMessage.addListener((message) => heard.push(message))
  deliver('late')
  expect(heard).toEqual(['early', 'late'])
})

it('sends with what it was made with', () => {
  const sent: unknown[] = []
  makePort((message) => sent.push(message)).port.postMessage('hello')
  expect(sent).toEqual(['hello'])
})

it('tells of its end once', () => {
  const { port, close } = makePort(() => undefined)
  let ends = 0
  port.onDisconnect.addListener(() => ends++)
  close()
  close()
  expect(ends).toBe(1)
})
