import type { Database } from 'better-sqlite3'
import { metricIds, type MetricId, type Metrics } from '../contract/metric.ts'
import type { Unit } from '../contract/metric.ts'

interface MetricRow {
  layerPosition: number
  metric: string
  value: number | null
  negativeZero: number
  unit: Unit
  reason: string | null
}

const known: ReadonlySet<string> = new Set(metricIds)
export const wholeCase = -1

/** Metrics of a case (position −1) and of its layers. A metric that this version does not know is left out. */
export function metricRepository(database: Database) {
  const insert = database.prepare<[number, number, string, number | null, number, string, string | null]>(
    'INSERT INTO metric_value (case_id, layer_position, metric, value, negative_zero, unit, reason) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const select = database.prepare<[number], MetricRow>(
    'SELECT layer_position AS layerPosition, metric, value, negative_zero AS negativeZero, unit, reason FROM metric_value WHERE case_id = ? ORDER BY layer_position, metric',
  )
  return {
    add(caseId: number, layerPosition: number, metrics: Metrics): void {
      for (const [id, { value, unit, reason }] of Object.entries(metrics))
        insert.run(caseId, layerPosition, id, value, Object.is(value, -0) ? 1 : 0, unit, reason ?? null)
    },
    ofCase(caseId: number): Map<number, Metrics> {
      const byPosition = new Map<number, Metrics>()
      for (const row of select.all(caseId)) {
        if (!known.has(row.metric)) continue
        const metrics = byPosition.get(row.layerPosition) ?? {}
        const value = row.negativeZero === 1 ? -0 : row.value
        metrics[row.metric as MetricId] = { value, unit: row.unit, ...(row.reason === null ? {} : { reason: row.reason }) }
        byPosition.set(row.layerPosition, metrics)
      }
      return byPosition
    },
  }
}
