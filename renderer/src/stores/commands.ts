import { defineStore } from 'pinia'
import { computed, onScopeDispose, ref, shallowReactive } from 'vue'

/** Something that a person can do, wherever they are. */
export interface Command {
  id: string
  /** The group that it is listed under: "Go to", "Run", "Theme". */
  group: string
  label: string
  /** What else it is found by and shown beside it, such as a path. */
  detail?: string
  keys?: string
  run: () => unknown
}

/** Everything that can be done now: what always can, and what the page on screen adds. */
export const useCommandsStore = defineStore('commands', () => {
  const open = ref(false)
  const sources = shallowReactive(new Set<() => Command[]>())
  const all = computed(() => [...sources].flatMap((source) => source()))

  /** Adds commands for as long as the component lives. */
  function provide(source: () => Command[]): void {
    sources.add(source)
    onScopeDispose(() => {
      sources.delete(source)
    })
  }

  return { open, all, provide }
})

/** The commands that hold every typed word, in label, group or detail; those that begin with the text first. */
export function findCommands(commands: readonly Command[], text: string): Command[] {
  const query = text.trim().toLowerCase()
  const words = query.split(/\s+/).filter((word) => word !== '')
  const found = commands.filter((command) => {
    const hay = `${command.group} ${command.label} ${command.detail ?? ''}`.toLowerCase()
    return words.every((word) => hay.includes(word))
  })
  const rank = (command: Command): number => (command.label.toLowerCase().startsWith(query) ? 0 : 1)
  return found.toSorted((a, b) => rank(a) - rank(b))
}
