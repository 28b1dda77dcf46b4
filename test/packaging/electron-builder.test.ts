import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

interface BuilderConfiguration {
  electronVersion: string
  npmRebuild: boolean
  electronFuses: Record<string, boolean>
  linux: { target: string[]; icon: string }
  win: { target: string[]; icon: string }
  mac: { target: string[]; icon: string }
}

const root = resolve(import.meta.dirname, '..', '..')
const require = createRequire(import.meta.url)
const { load } = require('js-yaml') as { load: (text: string) => unknown }
const { validateConfiguration } = require('app-builder-lib/out/util/config/config') as {
  validateConfiguration: (configuration: unknown, log: { isEnabled: boolean; add: () => void }) => Promise<void>
}
const { version: electronVersion } = require('electron/package.json') as { version: string }
const manifest = require('../../package.json') as {
  devDependencies: Record<string, string>
  dependencies: Record<string, string>
  optionalDependencies: Record<string, string>
}

const configuration = load(readFileSync(join(root, 'electron-builder.yml'), 'utf8')) as BuilderConfiguration
const validate = (value: object): Promise<void> => validateConfiguration(value, { isEnabled: false, add: () => undefined })

describe('electron-builder.yml', () => {
  it('fits the schema of electron-builder', async () => {
    await expect(validate(configuration)).resolves.toBeUndefined()
  })

  it('would not fit with a misspelt key', async () => {
    await expect(validate({ ...configuration, asarUnpak: [] })).rejects.toThrow(/asarUnpak/)
  })

  it('packs the very Electron that the tests know, pinned exactly', () => {
    expect(configuration.electronVersion).toBe(electronVersion)
    expect(manifest.devDependencies.electron).toBe(electronVersion)
  })

  it('has every target', () => {
    expect([configuration.linux.target, configuration.win.target, configuration.mac.target]).toEqual([
      ['AppImage', 'deb', 'tar.gz'],
      ['nsis', 'zip'],
      ['dmg', 'zip'],
    ])
  })

  it('turns off every fuse that would run something else than the package', () => {
    expect(configuration.electronFuses).toEqual({
      runAsNode: false,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      enableCookieEncryption: true,
      grantFileProtocolExtraPrivileges: false,
    })
  })

  it('has an icon that is large enough for every target', () => {
    const icon = readFileSync(join(root, configuration.linux.icon))
    expect(icon.subarray(1, 4).toString()).toBe('PNG')
    // Width and height stand at bytes 16 and 20 of a PNG; the Mac's icon set asks for 512 at least.
    expect(Math.min(icon.readUInt32BE(16), icon.readUInt32BE(20))).toBeGreaterThanOrEqual(512)
  })

  it('names every package that the bundles do not hold', () => {
    const packed = readFileSync(join(root, 'electron-builder.yml'), 'utf8')
    const kept = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.optionalDependencies)].filter(
      (name) => !/^node-(linux|win|darwin)-/.test(name),
    )
    expect(kept.length).toBeGreaterThan(0)
    for (const name of kept) expect(packed).toContain(`node_modules/${name}/`)
    expect(existsSync(join(root, 'LICENSE'))).toBe(true)
  })
})
