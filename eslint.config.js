import js from '@eslint/js'
import { createNodeResolver, flatConfigs, importX } from 'eslint-plugin-import-x'
import playwright from 'eslint-plugin-playwright'
import vue from 'eslint-plugin-vue'
import globals from 'globals'
import ts from 'typescript-eslint'

/**
 * The layer rules: what each room may import of ours. A room that is not listed in its own row is forbidden to it.
 * The table is ARCHITECTURE.md's; a change here is a change of the architecture.
 */
const rooms = ['contract', 'core', 'db', 'native', 'electron', 'server', 'cli', 'renderer', 'test', 'bench']
const mayImport = {
  contract: [],
  native: [],
  db: ['contract'],
  core: ['contract', 'native', 'db'],
  electron: ['contract', 'core', 'db'],
  server: ['contract', 'core', 'db'],
  cli: ['contract', 'core', 'db'],
  renderer: ['contract'],
  bench: ['contract', 'core', 'native', 'db'],
}
const coreRooms = ['app', 'rpc', 'model', 'sparsity', 'experiment', 'measure', 'accuracy', 'training', 'compare', 'export', 'engine']
const mayImportInCore = {
  model: [],
  sparsity: ['model'],
  measure: [],
  accuracy: ['model', 'sparsity'],
  training: [],
  engine: ['model', 'sparsity', 'measure', 'accuracy', 'training'],
  experiment: ['model', 'sparsity', 'engine', 'measure', 'compare'],
  compare: ['measure'],
  export: ['compare'],
}
const forbid = (folder, allowed, all) => all.filter((room) => room !== folder && !allowed.includes(room))
const zones = [
  ...Object.entries(mayImport).map(([room, allowed]) => ({
    target: `./${room}`,
    from: forbid(room, allowed, rooms).map((other) => `./${other}`),
    message: `${room}/ may import of ours only: ${allowed.join(', ') || 'nothing'}.`,
  })),
  ...Object.entries(mayImportInCore).map(([room, allowed]) => ({
    target: `./core/${room}`,
    from: forbid(room, allowed, coreRooms).map((other) => `./core/${other}`),
    message: `core/${room}/ may import inside core only: ${allowed.join(', ') || 'nothing'}.`,
  })),
  ...['model', 'sparsity', 'measure', 'accuracy', 'training', 'engine'].map((room) => ({
    target: `./core/${room}`,
    from: './db',
    message: `core/${room}/ runs in the engine process, which never opens the database.`,
  })),
]

const tested = ['**/*.test.ts', 'test/**', 'bench/**']
const nodeModules = { group: ['node:*', 'fs', 'path', 'child_process', 'os', 'worker_threads'], message: 'This room runs where there is no Node.' }
const electronModule = { group: ['electron', 'electron/*'], message: 'Only electron/ knows Electron.' }

export default ts.config(
  { ignores: ['out/', 'dist/', 'test-results/', 'coverage/', 'native/build/', 'node_modules/'] },
  js.configs.recommended,
  {
    files: ['**/*.ts', '**/*.vue'],
    extends: [ts.configs.strictTypeChecked, ts.configs.stylisticTypeChecked, vue.configs['flat/recommended']],
    languageOptions: {
      globals: { ...globals.node, ...globals.browser },
      parserOptions: { parser: ts.parser, projectService: true, extraFileExtensions: ['.vue'], tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'vue/multi-word-component-names': 'off',
      'vue/max-attributes-per-line': 'off',
      'vue/singleline-html-element-content-newline': 'off',
      'vue/html-self-closing': 'off',
      'vue/html-indent': 'off',
      'vue/html-closing-bracket-newline': 'off',
      'vue/multiline-html-element-content-newline': 'off',
      'vue/first-attribute-linebreak': 'off',
      'vue/attributes-order': 'off',
    },
  },
  { files: ['**/*.mjs', '*.js'], languageOptions: { globals: globals.node } },
  flatConfigs.typescript,
  {
    plugins: { 'import-x': importX },
    settings: { 'import-x/resolver-next': [createNodeResolver({ extensions: ['.ts', '.vue', '.js', '.mjs', '.json'] })] },
    rules: { 'import-x/no-restricted-paths': ['error', { basePath: import.meta.dirname, zones }], 'import-x/no-cycle': 'error' },
  },
  { files: tested, rules: { 'import-x/no-restricted-paths': 'off' } },
  {
    files: ['contract/**', 'renderer/**'],
    ignores: [...tested, 'renderer/vite-env.d.ts'],
    rules: { 'no-restricted-imports': ['error', { patterns: [nodeModules, electronModule] }] },
  },
  {
    files: ['core/**', 'db/**', 'native/**', 'server/**', 'cli/**'],
    ignores: tested,
    rules: { 'no-restricted-imports': ['error', { patterns: [electronModule] }] },
  },
  { files: ['test/e2e/**'], extends: [playwright.configs['flat/recommended']] },
)
