import { describe, expect, it } from 'vitest'
import { projectArgument } from './project-argument.ts'

describe('projectArgument', () => {
  it('is the first argument of a packaged application, seen from the folder it was started in', () => {
    expect(projectArgument(['/opt/hinm-bench', 'my/project.json'], true, '/home/me')).toBe('/home/me/my/project.json')
  })

  it('comes after the folder of an application that is not packaged', () => {
    expect(projectArgument(['electron', '.', '/data/project.json'], false, '/home/me')).toBe('/data/project.json')
  })

  it('is none where only switches are given', () => {
    expect(projectArgument(['electron', '--no-sandbox', '.', '--inspect=0'], false, '/home/me')).toBeNull()
  })
})
