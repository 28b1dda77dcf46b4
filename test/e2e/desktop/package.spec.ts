import { extractAll, listPackage } from '@electron/asar'
import { FuseV1Options, FuseVersion, getCurrentFuseWire } from '@electron/fuses'
import { expect, test } from '@playwright/test'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { standInElectron } from '../../packaging/stand-in-electron.ts'
import { openElectronHost } from '../hosts/electron-host.ts'
import { electronRuntime } from '../hosts/electron-runtime.ts'
import { root } from '../hosts/server-host.ts'
import { ProjectPage } from '../pages/project-page.ts'
import { RunPage } from '../pages/run-page.ts'

// The package as electron-builder makes it for this system, around a stand-in for Electron's binary.

let place: string
let resources: string
let archive: string[]

test.beforeAll(async () => {
  test.setTimeout(180_000)
  place = await mkdtemp(join(tmpdir(), 'hinm-package-'))
  const electron = join(place, 'electron')
  await standInElectron(electron, electronRuntime().version)
  const values = ['--linux', 'dir', '--publish', 'never', `-c.electronDist=${electron}`, `-c.directories.output=${join(place, 'dist')}`]
  await promisify(execFile)(process.execPath, [join(root, 'node_modules', 'electron-builder', 'cli.js'), ...values], { cwd: root })
  resources = join(place, 'dist', 'linux-unpacked', 'resources')
  archive = listPackage(join(resources, 'app.asar'), { isPack: false })
})

test.afterAll(async () => {
  await rm(place, { recursive: true, force: true, maxRetries: 5 })
})

test('19: the fuses are set in the binary', async () => {
  const wire = await getCurrentFuseWire(join(place, 'dist', 'linux-unpacked', 'hinm-bench'))
  const state = (fuse: FuseV1Options): string => String.fromCharCode(wire[fuse] ?? 0)
  expect(wire.version).toBe(FuseVersion.V1)
  expect(
    [
      FuseV1Options.RunAsNode,
      FuseV1Options.EnableNodeOptionsEnvironmentVariable,
      FuseV1Options.EnableNodeCliInspectArguments,
      FuseV1Options.GrantFileProtocolExtraPrivileges,
    ].map(state),
  ).toEqual(['0', '0', '0', '0'])
  expect([FuseV1Options.EnableCookieEncryption, FuseV1Options.EnableEmbeddedAsarIntegrityValidation, FuseV1Options.OnlyLoadAppFromAsar].map(state)).toEqual([
    '1',
    '1',
    '1',
  ])
})

test('the archive holds the bundles and the page, and no source, test or map', () => {
  for (const wanted of [
    '/package.json',
    '/LICENSE',
    '/out/electron/main.js',
    '/out/electron/preload.cjs',
    '/out/electron/engine.js',
    '/out/renderer/index.html',
  ])
    expect(archive).toContain(wanted)
  const folders = new Set(archive.map((path) => path.split('/')[1]))
  expect([...folders].toSorted()).toEqual(['LICENSE', 'node_modules', 'out', 'package.json'])
  expect(archive.filter((path) => /\.(ts|map|vue|cpp|h|test\.js)$/.test(path))).toEqual([])
  expect(new Set(archive.filter((path) => path.startsWith('/node_modules/')).map((path) => path.split('/')[2]))).toEqual(
    new Set(['better-sqlite3', 'onnxruntime-common', 'onnxruntime-node']),
  )
})

test('the native parts of this system, and of no other, lie outside the archive', async () => {
  const unpacked = await readdir(join(resources, 'app.asar.unpacked'), { recursive: true })
  const natives = unpacked.filter((path) => /\.(node|so|dll|dylib)(\.|$)/.test(path)).toSorted()
  const target = `${process.platform}-${process.arch}`
  const runtime = `node_modules/onnxruntime-node/bin/napi-v6/${process.platform}/${process.arch}`
  expect(natives).toEqual([`node_modules/better-sqlite3/prebuilds/${target}.node`, `${runtime}/libonnxruntime.so.1`, `${runtime}/onnxruntime_binding.node`])
  expect(existsSync(join(resources, 'native', 'hinm.node'))).toBe(true)
  expect(existsSync(join(resources, 'samples', 'fashion', 'project.json'))).toBe(true)
})

test('the packaged application starts on the double and measures with what is in the package', async () => {
  // The double cannot open an archive, so it gets what is inside, far from the clone and its packages.
  const application = join(place, 'application')
  extractAll(join(resources, 'app.asar'), application)
  await cp(join(resources, 'app.asar.unpacked'), application, { recursive: true })
  const host = await openElectronHost(join(place, 'home'), { application, args: [`--double-resources=${resources}`] })
  const project = new ProjectPage(host.page)
  await expect(project.heading).toHaveText('Fashion-MNIST')
  expect(await host.app.evaluate(({ app }) => app.isPackaged)).toBe(true)
  await project.choose({ models: ['fashion-mlp'], patterns: ['2:4'], sparsities: [], strategies: ['none'], timing: false })
  await project.start.click()
  const run = new RunPage(host.page)
  await expect(run.status).toHaveText('done', { timeout: 30_000 })
  expect(Math.abs((await run.value(0, 'accuracy.top1')) - 88.28)).toBeLessThanOrEqual(0.3)
  await host.close()
  expect(host.complaints).toEqual([])
})
