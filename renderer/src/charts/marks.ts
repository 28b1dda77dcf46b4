import { strategyIds } from '../../../contract/strategy.ts'

/** How one series looks: a colour token and a mark, so that neither carries the meaning alone. */
export interface Mark {
  color: 'series-1' | 'series-2' | 'series-3' | 'series-4' | 'series-5' | 'series-6'
  symbol: 'circle' | 'triangle' | 'diamond' | 'rect' | 'pin' | 'arrow'
}

const colors: readonly Mark['color'][] = ['series-1', 'series-2', 'series-3', 'series-4', 'series-5', 'series-6']
const symbols: readonly Mark['symbol'][] = ['circle', 'triangle', 'diamond', 'rect', 'pin', 'arrow']

/** The mark of the n-th series. The two cycles part after one round, so 36 series stay apart. */
export function markAt(index: number): Mark {
  const round = Math.floor(index / colors.length)
  return { color: colors[index % colors.length]!, symbol: symbols[(index + round) % symbols.length]! }
}

/** The two that every run compares come first, so that a strategy added to the registry does not take their marks. */
const strategyOrder: readonly string[] = [...new Set<string>(['none', 'gyro', 'gyro-plus', ...strategyIds])]

/** A strategy keeps its mark on every page, whatever else is shown. */
export const strategyMark = (strategy: string): Mark => markAt(Math.max(0, strategyOrder.indexOf(strategy)))

/** Outlines for legends, in a box of 12. */
export const markPaths: Record<Mark['symbol'], string> = {
  circle: 'M6 1.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 1 1 0-9Z',
  triangle: 'M6 1 11 10.5H1Z',
  diamond: 'M6 .5 11 6 6 11.5 1 6Z',
  rect: 'M1.7 1.7H10.3V10.3H1.7Z',
  pin: 'M6 11.5C3 7.5 2 6 2 4.2a4 4 0 0 1 8 0C10 6 9 7.5 6 11.5Z',
  arrow: 'M6 1 10.5 11 6 8.2 1.5 11Z',
}
