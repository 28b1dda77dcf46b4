import { defineStore } from 'pinia'
import { computed, ref, watch } from 'vue'

/** What may be put side by side: a whole run, or one case of it. */
export interface Pick {
  run: number
  case: number | null
}

export const mostPicks = 20
const basketKey = 'hinm.compare'

export const pickText = (pick: Pick): string => (pick.case === null ? String(pick.run) : `${pick.run}:${pick.case}`)

/** Picks from text such as "3,5:17": run 3 and case 17 of run 5. What is no number is left out. */
export function parsePicks(text: string): Pick[] {
  return text.split(',').flatMap((word) => {
    const parts = /^(\d+)(?::(\d+))?$/.exec(word.trim())
    return parts ? [{ run: Number(parts[1]), case: parts[2] === undefined ? null : Number(parts[2]) }] : []
  })
}

/** Runs and cases that were marked for comparison, on whatever page. */
export const useBasketStore = defineStore('basket', () => {
  const picks = ref<Pick[]>(parsePicks(localStorage.getItem(basketKey) ?? ''))
  const text = computed(() => picks.value.map(pickText).join(','))
  watch(text, (value) => {
    localStorage.setItem(basketKey, value)
  })

  const has = (pick: Pick): boolean => picks.value.some((other) => pickText(other) === pickText(pick))

  /** Marks or unmarks; beyond 20 nothing is added. */
  function toggle(pick: Pick): void {
    if (has(pick)) picks.value = picks.value.filter((other) => pickText(other) !== pickText(pick))
    else if (picks.value.length < mostPicks) picks.value.push(pick)
  }

  function clear(): void {
    picks.value = []
  }

  return { picks, text, has, toggle, clear }
})
