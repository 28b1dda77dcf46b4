import { BrowserWindow } from './browser-window.ts'
import { strict } from './strict.ts'

type Template = Electron.MenuItemConstructorOptions

/** Stands for Electron's MenuItem: what it was made of, and a click as a person makes it. */
class DoubleMenuItem {
  readonly id: string | undefined
  readonly role: string | undefined
  readonly type: string
  readonly label: string
  readonly accelerator: string | undefined
  readonly enabled: boolean
  readonly submenu: DoubleMenu | undefined
  private readonly template: Template

  constructor(template: Template) {
    this.template = template
    this.id = template.id
    this.role = template.role
    this.type = template.type ?? (template.submenu ? 'submenu' : 'normal')
    this.label = template.label ?? template.role ?? ''
    this.accelerator = template.accelerator
    this.enabled = template.enabled !== false
    this.submenu = Array.isArray(template.submenu) ? new DoubleMenu(template.submenu) : undefined
  }

  click(event: unknown = {}, window: unknown = BrowserWindow.getFocusedWindow()): void {
    const click = this.template.click as ((item: DoubleMenuItem, window: unknown, event: unknown) => void) | undefined
    if (!click) throw new Error(`Electron double: the menu item "${this.label}" has a role, and roles are not emulated.`)
    click(this, window, event)
  }
}

class DoubleMenu {
  private static applicationMenu: DoubleMenu | null = null
  readonly items: DoubleMenuItem[]

  constructor(templates: readonly Template[]) {
    this.items = templates.map((template) => strict('MenuItem', new DoubleMenuItem(template)))
  }

  static buildFromTemplate(templates: readonly Template[]): DoubleMenu {
    return strict('Menu', new DoubleMenu(templates))
  }

  static setApplicationMenu(menu: DoubleMenu | null): void {
    DoubleMenu.applicationMenu = menu
  }

  static getApplicationMenu(): DoubleMenu | null {
    return DoubleMenu.applicationMenu
  }

  getMenuItemById(id: string): DoubleMenuItem | null {
    for (const item of this.items) {
      const found = item.id === id ? item : item.submenu?.getMenuItemById(id)
      if (found) return found
    }
    return null
  }
}

export const Menu = strict('Menu', DoubleMenu)
