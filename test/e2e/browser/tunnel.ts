import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** The near end of a tunnel, as `ssh -L` makes it: a port of its own whose bytes come out at the far one. */
export interface Tunnel {
  port: number
  /** Every connection breaks, and new ones are refused. */
  cut: () => Promise<void>
  /** The same port is there again. */
  mend: () => Promise<void>
}

export async function openTunnel(farPort: number): Promise<Tunnel> {
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(farPort, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far).pipe(near)
  })
  const listen = async (port: number): Promise<void> => {
    const listening = once(server, 'listening')
    server.listen(port, '127.0.0.1')
    await listening
  }
  await listen(0)
  const { port } = server.address() as AddressInfo
  return {
    port,
    async cut() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
    mend: () => listen(port),
  }
}
