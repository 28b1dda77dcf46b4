import { describe, expect, it } from 'vitest'
import { shortPath } from './place.ts'

describe('a short path', () => {
  it('is the folder of a project file', () => {
    expect(shortPath('/home/me/samples/fashion/project.json')).toBe('fashion')
    expect(shortPath(String.raw`C:\work\fashion\project.json`)).toBe('fashion')
  })

  it('keeps the file where it says more', () => {
    expect(shortPath('/data/magika/task.json')).toBe('magika/task.json')
    expect(shortPath('fashion')).toBe('fashion')
  })
})
