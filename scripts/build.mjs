// Bundles: the renderer by Vite, everything that runs in Node by Rolldown. Native packages stay outside the bundles.
import { rolldown } from 'rolldown'
import { build } from 'vite'

const external = [/^node:/, 'electron', 'better-sqlite3', 'onnxruntime-node', /\.node$/]

async function bundle(input, file, format = 'esm') {
  const result = await rolldown({ input, external, platform: 'node', tsconfig: false, logLevel: 'warn' })
  await result.write({ file, format, sourcemap: true, codeSplitting: false })
  await result.close()
}

await Promise.all([
  bundle('electron/main.ts', 'out/electron/main.js'),
  bundle('electron/preload.ts', 'out/electron/preload.cjs', 'cjs'),
  bundle('core/engine/main.ts', 'out/electron/engine.js'),
  bundle('server/main.ts', 'out/server/main.js'),
  bundle('core/engine/main.ts', 'out/server/engine.js'),
  bundle('cli/main.ts', 'out/cli/main.js'),
  bundle('core/engine/main.ts', 'out/cli/engine.js'),
  bundle('core/measure/contestant-child.ts', 'out/cli/contestant.js'),
  build({ configFile: 'vite.config.ts', logLevel: 'warn' }),
])
