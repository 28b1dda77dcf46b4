import { dialog } from 'electron'

/** Asks for a project file; null when nothing was chosen. */
export async function chooseProject(window: Electron.BrowserWindow): Promise<string | null> {
  const { canceled, filePaths } = await dialog.showOpenDialog(window, {
    title: 'Open a project',
    buttonLabel: 'Open',
    properties: ['openFile'],
    filters: [{ name: 'Projects and tasks', extensions: ['json', 'hinmproject'] }],
  })
  return canceled ? null : (filePaths[0] ?? null)
}
