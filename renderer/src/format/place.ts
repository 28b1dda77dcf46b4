/** The tail of a path that tells projects apart: its folder, or folder and file where the file is not named project.json. */
export function shortPath(path: string): string {
  const parts = path.split(/[\\/]/).filter((part) => part !== '')
  const file = parts.at(-1) ?? path
  if (file === 'project.json') return parts.at(-2) ?? file
  return parts.slice(-2).join('/')
}
