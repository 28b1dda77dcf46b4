// Loaded first in a utility process: gives it Electron's parent port and resources, and ends it with its parent, as Electron does.
import { EventEmitter } from 'node:events'
import { strict } from './strict.ts'

const port = strict(
  'process.parentPort',
  Object.assign(new EventEmitter(), {
    postMessage: (message: unknown) => {
      // A host that was killed takes no message any more; Electron's port says nothing then either.
      process.send?.(message, () => undefined)
    },
  }),
)
process.on('message', (data) => port.emit('message', { data, ports: [] }))
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
Object.assign(process, { parentPort: port, type: 'utility', ...(process.env.DOUBLE_RESOURCES ? { resourcesPath: process.env.DOUBLE_RESOURCES } : {}) })
