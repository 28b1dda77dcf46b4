import type { Database } from 'better-sqlite3'
import * as v from 'valibot'
import { CaseSpec, type CaseRecord, type CaseResult, type CaseStatus, type LayerResult } from '../contract/case.ts'
import { readJson } from './json.ts'
import { metricRepository, wholeCase } from './metric-values.ts'
import { sampleRepository } from './samples.ts'

export interface NewCase {
  runId: number
  position: number
  spec: CaseSpec
  modelHash: string | null
  /** Why it will not run; null for a case that is planned. */
  refusal: string | null
}

interface CaseRow {
  id: number
  position: number
  spec: string
  modelHash: string | null
  status: CaseStatus
  reason: string | null
  sparsityAchieved: number | null
  seconds: number | null
  notes: string
}

type LayerRow = Omit<LayerResult, 'metrics'> & { position: number }

const columns = 'id, position, spec, model_hash AS modelHash, status, reason, sparsity_achieved AS sparsityAchieved, seconds, notes'

/** Cases with their layers, metrics and samples. `result.samples` is empty when read: ask for them by case. */
export function caseRepository(database: Database) {
  const metrics = metricRepository(database)
  const samples = sampleRepository(database)
  const insert = database.prepare<[number, number, string, string | null, CaseStatus, string | null]>(
    'INSERT INTO run_case (run_id, position, spec, model_hash, status, reason) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const selectOne = database.prepare<[number], CaseRow>(`SELECT ${columns} FROM run_case WHERE id = ?`)
  const selectOfRun = database.prepare<[number], CaseRow>(`SELECT ${columns} FROM run_case WHERE run_id = ? ORDER BY position`)
  const selectLayers = database.prepare<[number], LayerRow>(
    'SELECT position, layer, rows, cols, status, reason, sparsity_achieved AS sparsityAchieved FROM case_layer WHERE case_id = ? ORDER BY position',
  )
  const setStatus = database.prepare<[CaseStatus, string | null, number]>('UPDATE run_case SET status = ?, reason = ? WHERE id = ?')
  const endRunning = database.prepare<[string, number]>(`UPDATE run_case SET status = 'cancelled', reason = ? WHERE run_id = ? AND status = 'running'`)
  const replan = database.prepare<[number]>(
    `UPDATE run_case SET status = 'planned', reason = NULL WHERE run_id = ? AND status IN ('planned', 'running', 'cancelled')`,
  )
  const finish = database.prepare<[CaseStatus, string | null, number | null, number, string, number, number, number]>(
    'UPDATE run_case SET status = ?, reason = ?, sparsity_achieved = ?, seconds = ?, notes = ?, environment_id = ?, ended_at = ? WHERE id = ?',
  )
  const insertLayer = database.prepare<[number, number, string, number, number, CaseStatus, string | null, number | null]>(
    'INSERT INTO case_layer (case_id, position, layer, rows, cols, status, reason, sparsity_achieved) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const clear = ['case_layer', 'metric_value', 'sample_set'].map((table) => database.prepare<[number]>(`DELETE FROM ${table} WHERE case_id = ?`))

  const resultOf = (row: CaseRow): CaseResult | null => {
    if (row.seconds === null) return null
    const byPosition = metrics.ofCase(row.id)
    return {
      status: row.status,
      reason: row.reason,
      sparsityAchieved: row.sparsityAchieved,
      metrics: byPosition.get(wholeCase) ?? {},
      layers: selectLayers.all(row.id).map(({ position, ...layer }) => ({ ...layer, metrics: byPosition.get(position) ?? {} })),
      samples: [],
      seconds: row.seconds,
      notes: readJson(v.array(v.string()), row.notes, 'list of notes'),
    }
  }
  const record = (row: CaseRow): CaseRecord => ({
    id: row.id,
    index: row.position,
    spec: readJson(CaseSpec, row.spec, 'case settings'),
    result: resultOf(row),
    status: row.status,
    reason: row.reason,
    modelHash: row.modelHash,
  })

  return {
    add: (entry: NewCase): number =>
      Number(
        insert.run(entry.runId, entry.position, JSON.stringify(entry.spec), entry.modelHash, entry.refusal === null ? 'planned' : 'refused', entry.refusal)
          .lastInsertRowid,
      ),
    get(id: number): CaseRecord | null {
      const row = selectOne.get(id)
      return row ? record(row) : null
    },
    ofRun: (runId: number): CaseRecord[] => selectOfRun.all(runId).map(record),
    setStatus(id: number, status: CaseStatus, reason: string | null): void {
      setStatus.run(status, reason, id)
    },
    /** Cases that were running when their process ended. */
    endRunning(runId: number, reason: string): void {
      endRunning.run(reason, runId)
    },
    /** Makes every case that has not come to an end a planned one. */
    replan(runId: number): void {
      replan.run(runId)
    },
    /** Everything that a case found; call it inside one transaction. */
    finish(id: number, result: CaseResult, environmentId: number, endedAt: number): void {
      for (const statement of clear) statement.run(id)
      finish.run(result.status, result.reason, result.sparsityAchieved, result.seconds, JSON.stringify(result.notes), environmentId, endedAt, id)
      metrics.add(id, wholeCase, result.metrics)
      for (const [position, layer] of result.layers.entries()) {
        insertLayer.run(id, position, layer.layer, layer.rows, layer.cols, layer.status, layer.reason, layer.sparsityAchieved)
        metrics.add(id, position, layer.metrics)
      }
      for (const set of result.samples) samples.add(id, set)
    },
  }
}
