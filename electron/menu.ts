import { app, BrowserWindow, Menu, type MenuItemConstructorOptions } from 'electron'
import type { HostCommand } from '../contract/host-bridge.ts'
import { channels } from './channels.ts'
import { chooseProject } from './choose-project.ts'

export function sendCommand(window: Electron.BrowserWindow, command: HostCommand): void {
  window.webContents.send(channels.command, command)
}

/** The menu bar. Its commands do nothing themselves: the page decides what they mean where it is. */
export function setMenu(): void {
  const mac = process.platform === 'darwin'
  const menus: MenuItemConstructorOptions[] = [
    ...(mac ? [{ role: 'appMenu' } as const] : []),
    { label: '&File', submenu: [openItem, ...(mac ? [] : [{ type: 'separator' } as const, { role: 'quit' } as const])] },
    { role: 'editMenu' },
    { label: '&Run', submenu: [runItem('start-run', 'Start', 'CmdOrCtrl+Enter'), runItem('cancel-run', 'Cancel')] },
    { label: '&View', submenu: viewItems() },
    ...(mac ? [{ role: 'windowMenu' } as const] : []),
  ]
  Menu.setApplicationMenu(Menu.buildFromTemplate(menus))
}

const openItem: MenuItemConstructorOptions = {
  id: 'open-project',
  label: 'Open Project…',
  accelerator: 'CmdOrCtrl+O',
  click: (_item, window) => {
    if (window instanceof BrowserWindow) void openProject(window)
  },
}

async function openProject(window: Electron.BrowserWindow): Promise<void> {
  const path = await chooseProject(window)
  if (path !== null) sendCommand(window, { type: 'open-project', path })
}

/** The key is only shown: the page has the same one, and it must not be obeyed twice. */
function runItem(type: 'start-run' | 'cancel-run', label: string, accelerator?: string): MenuItemConstructorOptions {
  return {
    id: type,
    label,
    ...(accelerator === undefined ? {} : { accelerator, registerAccelerator: false }),
    click: (_item, window) => {
      if (window instanceof BrowserWindow) sendCommand(window, { type })
    },
  }
}

function viewItems(): MenuItemConstructorOptions[] {
  return [
    { role: 'reload' },
    ...(app.isPackaged ? [] : [{ role: 'toggleDevTools' } as const]),
    { type: 'separator' },
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { type: 'separator' },
    { role: 'togglefullscreen' },
  ]
}
