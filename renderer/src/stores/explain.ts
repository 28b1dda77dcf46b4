import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import type { MetricId, MetricValue } from '../../../contract/metric.ts'

export interface Explanation {
  /** The element that the explanation belongs to; focus returns to it. */
  anchor: HTMLElement
  metric: MetricId
  /** Null explains the metric itself, as in a column head. */
  value: MetricValue | null
  /** How and where the number was got, one sentence each. */
  method: readonly string[]
}

/** The one explanation that is open, if any. */
export const useExplainStore = defineStore('explain', () => {
  const shown = shallowRef<Explanation | null>(null)
  return { shown }
})
