/**
 * Arrow keys in a table with role grid: one cell at a time takes part in the tab order, the arrows, Home and End move
 * between cells (WAI-ARIA grid pattern). Cells bear tabindex -1; the table's key and focus listeners do the rest.
 */
const cellsOf = (row: Element): HTMLElement[] => [...row.querySelectorAll<HTMLElement>('[data-cell]')]

function rowsOf(table: Element): HTMLElement[][] {
  return [...table.querySelectorAll('tr')].map(cellsOf).filter((cells) => cells.length > 0)
}

/** Makes the cell the one that Tab reaches. */
export function enterGrid(table: HTMLElement, cell: HTMLElement): void {
  for (const other of table.querySelectorAll('[data-cell][tabindex="0"]')) other.setAttribute('tabindex', '-1')
  cell.setAttribute('tabindex', '0')
}

/** Gives a grid that has no cell in the tab order its first one. */
export function ensureGridEntry(table: HTMLElement): void {
  if (table.querySelector('[data-cell][tabindex="0"]')) return
  table.querySelector('[data-cell]')?.setAttribute('tabindex', '0')
}

export function onGridKey(event: KeyboardEvent): void {
  const table = event.currentTarget as HTMLElement
  const cell = (event.target as HTMLElement).closest<HTMLElement>('[data-cell]')
  if (!cell || cell !== event.target) return
  const rows = rowsOf(table)
  const rowIndex = rows.findIndex((cells) => cells.includes(cell))
  const column = rows[rowIndex]?.indexOf(cell) ?? -1
  const target = destination(event, rows, rowIndex, column)
  if (!target) return
  event.preventDefault()
  enterGrid(table, target)
  target.focus()
}

function destination(event: KeyboardEvent, rows: HTMLElement[][], row: number, column: number): HTMLElement | undefined {
  const inRow = rows[row] ?? []
  switch (event.key) {
    case 'ArrowRight':
      return inRow[column + 1]
    case 'ArrowLeft':
      return inRow[column - 1]
    case 'ArrowDown':
      return rows[row + 1]?.[Math.min(column, rows[row + 1]!.length - 1)]
    case 'ArrowUp':
      return rows[row - 1]?.[Math.min(column, rows[row - 1]!.length - 1)]
    case 'Home':
      return event.ctrlKey ? rows[0]?.[0] : inRow[0]
    case 'End':
      return event.ctrlKey ? rows.at(-1)?.at(-1) : inRow.at(-1)
    default:
      return undefined
  }
}
