// Everything that `npx hinm` and the editor need, without starting the app.
import { bundles, nativeModule, npmPackages, pinnedNode } from './lib/setup.mjs'
import { systemPackages, toBuild } from './lib/system-packages.mjs'

npmPackages()
pinnedNode()
systemPackages(toBuild)
nativeModule()
bundles()
