import { strict } from './strict.ts'

/** Stands for Electron's `nativeTheme`: a desktop that is light. */
export const nativeTheme = strict('nativeTheme', { shouldUseDarkColors: false })
