import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadProject } from './task-file.ts'
import { dataFolder } from './task-paths.ts'

const task = {
  name: 'small',
  model: '${HINM_DATA}/small.onnx',
  data: { format: 'idx', inputs: '${MODULES}/inputs', labels: 'labels' },
  input: { name: 'x', type: 'float32', shape: [4] },
  output: { name: 'y' },
  metric: 'top-1',
}
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hinm-project-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true })
})

async function file(name: string, json: unknown): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, typeof json === 'string' ? json : JSON.stringify(json))
  return path
}

const refusal = async (name: string, json: unknown): Promise<string> => {
  const error: unknown = await loadProject(await file(name, json)).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: name.endsWith('.task.json') ? 'TASK_INVALID' : 'PROJECT_INVALID' })
  return (error as Error).message
}

describe('a project', () => {
  it('is a folder, a project file or one task file', async () => {
    const project = { schema: 'hinm-project/1', name: 'Two', tasks: [task, { ...task, name: 'other' }] }
    await mkdir(join(folder, 'inside'))
    const path = await file('inside/project.json', project)
    const loaded = await loadProject(join(folder, 'inside'))
    expect([loaded.path, loaded.base, loaded.project.tasks.map(({ name }) => name)]).toEqual([path, join(folder, 'inside'), ['small', 'other']])
    expect((await loadProject(path)).project).toEqual(loaded.project)
    const single = await loadProject(await file('one.task.json', task))
    expect([single.project.name, single.project.tasks.length]).toEqual(['small', 1])
  })

  it('has the two folder names replaced and defaults filled in', async () => {
    const { tasks } = (await loadProject(await file('one.task.json', task))).project
    expect(tasks[0]?.model).toBe(`${dataFolder()}/small.onnx`)
    expect(tasks[0]?.data).toMatchObject({ inputs: expect.stringMatching(/node_modules\/inputs$/) as string, labels: 'labels' })
    expect(tasks[0]).toMatchObject({ batch: 100, input: { scale: 1, mean: 0, std: 1 } })
  })

  it('that is not there, or a folder without one, is said so', async () => {
    await expect(loadProject(join(folder, 'nowhere'))).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' })
    await mkdir(join(folder, 'empty'))
    await expect(loadProject(join(folder, 'empty'))).rejects.toMatchObject({
      code: 'FILE_NOT_FOUND',
      message: expect.stringContaining('holds no project.json') as string,
    })
  })
})

describe('a file that is not valid', () => {
  it('is refused with the place, what was found and what is allowed', async () => {
    expect(await refusal('a.task.json', { ...task, metric: 'top-2' })).toMatch(/"metric" is "top-2", but it must be "top-1" or "top-5" or /)
    expect(await refusal('b.task.json', { ...task, input: { ...task.input, shape: [0] } })).toMatch(/"input\.shape\.0"/)
    expect(await refusal('c.task.json', { ...task, metrics: 'top-1' })).toBe(
      'The file c.task.json is not valid: "metrics" is not a field that is known here; check its spelling or leave it out.',
    )
    expect(await refusal('d.task.json', { ...task, model: undefined })).toMatch(/"model" is missing; it must be/)
    expect(await refusal('e.json', { schema: 'hinm-project/1', name: 'x', tasks: [] })).toMatch(/A project names at least one task\./)
    expect(await refusal('f.json', { schema: 'hinm-project/1', name: 'x', tasks: [task, task] })).toMatch(/names two tasks "small"/)
    expect(await refusal('g.json', '{"schema": ')).toMatch(/is not valid JSON/)
  })
})
