const types: Record<string, string> = { csv: 'text/csv', json: 'application/json', md: 'text/markdown' }

/** Hands text to the browser as a file to keep; where it goes is the reader's choice. */
export function saveText(name: string, text: string): void {
  const extension = name.slice(name.lastIndexOf('.') + 1)
  const address = URL.createObjectURL(new Blob([text], { type: `${types[extension] ?? 'text/plain'};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
