import { defineStore } from 'pinia'
import { ref } from 'vue'
import { failureOf } from '../../../contract/error.ts'

export interface Notice {
  id: number
  level: 'info' | 'error'
  text: string
}

/** Short messages that any page may raise. Errors stay until they are closed; the rest fade. */
export const useNoticesStore = defineStore('notices', () => {
  const notices = ref<Notice[]>([])
  let next = 1

  function add(level: Notice['level'], text: string): void {
    const id = next++
    notices.value.push({ id, level, text })
    if (level === 'info')
      setTimeout(() => {
        close(id)
      }, 4000)
  }

  function close(id: number): void {
    notices.value = notices.value.filter((notice) => notice.id !== id)
  }

  /** Does `work`; a failure becomes a notice, and the answer is undefined. */
  async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (thrown) {
      add('error', failureOf(thrown).message)
      return undefined
    }
  }

  return { notices, add, close, attempt }
})
