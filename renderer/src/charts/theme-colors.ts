import { onScopeDispose, shallowRef, watch, type ShallowRef } from 'vue'
import { useAppStore } from '../stores/app.ts'

const names = [
  'surface',
  'text',
  'text-muted',
  'text-faint',
  'line',
  'line-strong',
  'accent',
  'good',
  'warn',
  'bad',
  'series-1',
  'series-2',
  'series-3',
  'series-4',
  'series-5',
  'series-6',
] as const
export type ThemeColors = Record<(typeof names)[number], string>

/** The tokens as plain colours: a canvas knows neither custom properties nor light-dark(). */
function readColors(): ThemeColors {
  const probe = document.createElement('span')
  probe.hidden = true
  document.body.append(probe)
  const entries = names.map((name) => {
    probe.style.color = `var(--${name})`
    return [name, getComputedStyle(probe).color] as const
  })
  probe.remove()
  return Object.fromEntries(entries) as ThemeColors
}

/** The colours of the theme that is shown, read again when it changes. */
export function useThemeColors(): Readonly<ShallowRef<ThemeColors>> {
  const app = useAppStore()
  const colors = shallowRef(readColors())
  const read = (): void => {
    colors.value = readColors()
  }
  watch(() => app.theme, read, { flush: 'post' })
  const scheme = matchMedia('(prefers-color-scheme: dark)')
  scheme.addEventListener('change', read)
  onScopeDispose(() => {
    scheme.removeEventListener('change', read)
  })
  return colors
}
