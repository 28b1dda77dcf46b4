export interface DoubleCommandLine {
  /** Modules to load before the application, as `-r` names them. */
  preloads: string[]
  /** Open Node's inspector. */
  inspect: boolean
  /** Folder or file of the application. */
  entry: string
  /** Folder of a package's resources, when the application shall believe that it is packaged. A switch of the double's own. */
  resources: string | undefined
}

const resourcesSwitch = '--double-resources='

/** Reads the arguments as Electron does: switches anywhere, `-r module`, and the first plain argument is the application. */
export function readCommandLine(values: readonly string[]): DoubleCommandLine {
  const preloads: string[] = []
  let inspect = false
  let entry: string | undefined
  let resources: string | undefined
  for (let place = 0; place < values.length; place++) {
    const value = values[place]!
    if (value === '-r') preloads.push(values[++place]!)
    else if (value.startsWith('--inspect')) inspect = true
    else if (value.startsWith(resourcesSwitch)) resources = value.slice(resourcesSwitch.length)
    else if (!value.startsWith('-')) entry ??= value
  }
  return { preloads, inspect, entry: entry ?? '.', resources }
}
