import type { Router } from 'vue-router'
import { shortPath } from '../format/place.ts'
import { themes, useAppStore } from '../stores/app.ts'
import { useBasketStore } from '../stores/basket.ts'
import type { Command } from '../stores/commands.ts'
import { useProjectsStore } from '../stores/projects.ts'
import { useRunsStore } from '../stores/runs.ts'

/** What can be done on every page. Recent runs come last, because there are many. */
export function globalCommands(router: Router): () => Command[] {
  const app = useAppStore()
  const basket = useBasketStore()
  const projects = useProjectsStore()
  const runs = useRunsStore()
  const go = (id: string, label: string, place: Parameters<Router['push']>[0], detail?: string): Command => ({
    id,
    group: 'Go to',
    label,
    ...(detail === undefined ? {} : { detail }),
    run: () => router.push(place),
  })
  return () => [
    go('projects', 'Projects', { name: 'projects' }),
    go('runs', 'Runs', { name: 'history' }, 'history'),
    go('history-file', 'History file', { name: 'history-file' }, 'backups, check, import, export'),
    go('compare', 'Compare', { name: 'compare', query: { of: basket.text } }, basket.picks.length > 0 ? `${basket.picks.length} marked` : undefined),
    go('devices', 'Devices', { name: 'devices' }, 'environment'),
    ...(basket.picks.length > 0 ? [{ id: 'clear-marks', group: 'Compare', label: 'Clear the marks', run: basket.clear }] : []),
    ...themes.map((theme): Command => ({
      id: `theme-${theme}`,
      group: 'Theme',
      label: `${theme.charAt(0).toUpperCase()}${theme.slice(1)} theme`,
      run: () => {
        app.theme = theme
      },
    })),
    ...(projects.recent ?? []).map((project): Command => ({
      id: `project-${project.path}`,
      group: 'Projects',
      label: project.name,
      detail: project.path,
      run: () => router.push({ name: 'project', query: { path: project.path } }),
    })),
    ...(runs.runs ?? [])
      .toSorted((a, b) => b.startedAt - a.startedAt)
      .map((run): Command => ({
        id: `run-${run.id}`,
        group: 'Runs',
        label: `${run.id} ${run.name}`,
        detail: `${shortPath(run.project)}, ${run.status}`,
        run: () => router.push({ name: 'run', params: { id: run.id } }),
      })),
  ]
}
