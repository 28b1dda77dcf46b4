/** The child process that owns the native module, as its hosts see it. Electron and Node make it in their own ways. */
export interface EngineProcess {
  /** Of the operating system, where the host knows it. */
  readonly pid?: number | undefined
  post(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  /** Called once, also when the process could not be started. */
  onExit(listener: (code: number | null, signal: string | null) => void): void
  /** SIGKILL: whatever a kernel is doing, it ends. */
  kill(): void
}

export type SpawnEngine = () => EngineProcess
