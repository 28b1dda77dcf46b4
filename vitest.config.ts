import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    coverage: { provider: 'v8', include: ['contract/**', 'core/**', 'db/**', 'server/**', 'cli/**', 'native/*.ts', 'renderer/src/**'] },
    projects: [
      {
        test: {
          name: 'node',
          include: ['{contract,core,db,server,cli,electron,native,bench,scripts,test}/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'test/e2e/**'],
          pool: 'forks',
          testTimeout: 30_000,
        },
      },
      { plugins: [vue()], test: { name: 'dom', environment: 'happy-dom', include: ['renderer/src/**/*.test.ts'], testTimeout: 15_000 } },
    ],
  },
})
