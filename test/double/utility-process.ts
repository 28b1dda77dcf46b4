import { fork } from 'node:child_process'
import { KnownEmitter } from './emitter.ts'
import { notEmulated, strict } from './strict.ts'

/** What a shell makes of a process that a signal ended; Electron reports something of the kind. */
const endedBySignal = 128

/** Stands for Electron's `utilityProcess`: a Node child with a parent port instead of process.send. */
export const utilityProcess = strict('utilityProcess', {
  fork(file: string, values: string[] = [], { stdio }: Electron.ForkOptions = {}) {
    if (!Array.isArray(stdio) || stdio[0] !== 'ignore') throw notEmulated(`utilityProcess with stdio ${JSON.stringify(stdio)}`)
    const child = fork(file, values, {
      serialization: 'advanced',
      env: { ...process.env, DOUBLE_RESOURCES: (process as { resourcesPath?: string }).resourcesPath ?? '' },
      execArgv: ['--disable-warning=ExperimentalWarning', '--import', new URL('./parent-port.ts', import.meta.url).href],
      stdio: ['ignore', ...stdio.slice(1), 'ipc'] as ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    const emitter = Object.assign(new KnownEmitter('UtilityProcess', ['spawn', 'message', 'exit']), {
      pid: undefined as number | undefined,
      postMessage(message: unknown, transfer?: unknown[]) {
        if (transfer?.length) throw notEmulated('a transfer to a utility process')
        if (child.connected) child.send(message as object, () => undefined)
      },
      kill: () => child.kill('SIGTERM'),
    })
    child.on('spawn', () => {
      emitter.pid = child.pid
      emitter.emit('spawn')
    })
    child.on('message', (message) => emitter.emit('message', message))
    child.on('exit', (code) => {
      emitter.pid = undefined
      emitter.emit('exit', code ?? endedBySignal)
    })
    return strict('UtilityProcess', emitter)
  },
})
