import type { Socket } from 'node:net'

const times = new WeakMap<Socket, number>()

/** Notes how long the TCP connection of a socket took to be established, without name resolution and TLS. */
export function noteConnectTime(socket: Socket, ms: number): void {
  times.set(socket, ms)
}

export function readConnectTime(socket: Socket): number | undefined {
  return times.get(socket)
}
