import { contextBridge, ipcRenderer } from 'electron'
import type { HostBridge, HostCommand } from '../contract/host-bridge.ts'
import { channels } from './channels.ts'

/** A menu can be used before the page listens to it. */
const early: HostCommand[] = []
let obey = (command: HostCommand): void => {
  early.push(command)
}
ipcRenderer.on(channels.command, (_event, command: HostCommand) => {
  obey(command)
})

const bridge: HostBridge = {
  kind: 'electron',
  connect: () => {
    ipcRenderer.send(channels.connect)
  },
  post: (message) => {
    ipcRenderer.send(channels.message, message)
  },
  onMessage: (listener) => {
    ipcRenderer.on(channels.message, (_event, message: unknown) => {
      listener(message)
    })
  },
  chooseProject: () => ipcRenderer.invoke(channels.chooseProject) as Promise<string | null>,
  onCommand: (listener) => {
    obey = listener
    for (const command of early.splice(0)) listener(command)
  },
}
contextBridge.exposeInMainWorld('host', bridge)
