import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vite'

/** The renderer: one bundle for the Electron window and the loopback server, under a policy that allows neither inline scripts nor data: fonts. */
export default defineConfig({
  root: 'renderer',
  base: './',
  plugins: [vue()],
  build: {
    outDir: '../out/renderer',
    emptyOutDir: true,
    target: 'chrome150',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: true,
    // The chart library is one chunk of half a megabyte, fetched when a page first shows a chart.
    chunkSizeWarningLimit: 600,
  },
})
