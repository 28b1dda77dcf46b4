import type { Database } from 'better-sqlite3'

export interface ProjectRow {
  path: string
  name: string
  openedAt: number
}

/** Projects that were opened, the latest first. */
export function projectRepository(database: Database) {
  const upsert = database.prepare<[string, string, number]>(
    'INSERT INTO project (path, name, opened_at) VALUES (?, ?, ?) ON CONFLICT (path) DO UPDATE SET name = excluded.name, opened_at = excluded.opened_at',
  )
  const recent = database.prepare<[number], ProjectRow>('SELECT path, name, opened_at AS openedAt FROM project ORDER BY opened_at DESC, path LIMIT ?')
  const forget = database.prepare<[string]>('DELETE FROM project WHERE path = ?')
  return {
    forget(path: string): void {
      forget.run(path)
    },
    remember(path: string, name: string, openedAt: number): void {
      upsert.run(path, name, openedAt)
    },
    recent: (limit: number): ProjectRow[] => recent.all(limit),
  }
}
