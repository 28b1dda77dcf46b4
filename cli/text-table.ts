export interface Column<Row> {
  heading: string
  align: 'left' | 'right'
  text: (row: Row) => string
}

/** Rows in aligned columns for a terminal; columns that are empty in every row are left out. */
export function textTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const cells = columns.map((column) => rows.map((row) => printable(column.text(row))))
  const shown = columns.map((column, index) => ({ ...column, cells: cells[index] ?? [] })).filter((column) => column.cells.some((cell) => cell !== ''))
  const widths = shown.map(({ heading, cells: texts }) => Math.max(heading.length, ...texts.map((text) => text.length)))
  const line = (texts: readonly string[]): string =>
    texts
      .map((text, index) => (shown[index]?.align === 'right' ? text.padStart(widths[index] ?? 0) : text.padEnd(widths[index] ?? 0)))
      .join('  ')
      .trimEnd()
  return [
    line(shown.map(({ heading }) => heading)),
    line(widths.map((width) => '─'.repeat(width))),
    ...rows.map((_, row) => line(shown.map(({ cells: texts }) => texts[row] ?? ''))),
  ].join('\n')
}

/** Names come from files of strangers: control characters and marks that turn the direction of text are shown as \u… */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`)
