import { defineStore } from 'pinia'
import { ref, watchEffect } from 'vue'
import { useClient, type Client } from '../client.ts'

export type Theme = 'system' | 'light' | 'dark'
export const themes: readonly Theme[] = ['system', 'light', 'dark']
export type AppInfo = Awaited<ReturnType<Client['app']['info']>>

const themeKey = 'hinm.theme'
const isTheme = (text: string | null): text is Theme => themes.some((theme) => theme === text)

/** What holds for the whole window: who hosts it, whether it may write, and how it looks. */
export const useAppStore = defineStore('app', () => {
  const client = useClient()
  const info = ref<AppInfo | null>(null)
  const stored = localStorage.getItem(themeKey)
  const theme = ref<Theme>(isTheme(stored) ? stored : 'system')

  watchEffect(() => {
    localStorage.setItem(themeKey, theme.value)
    if (theme.value === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme.value
  })

  async function load(): Promise<void> {
    info.value = await client.app.info()
  }

  return { info, theme, load }
})
