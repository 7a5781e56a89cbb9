import type { OpenSocket } from './open-socket.ts'
import { type SocketTarget, UpstreamSocket } from './upstream-socket.ts'

/** As many as a connection has running responses. */
const SOCKETS_MAX = 16

export interface SocketWish {
  readonly target: SocketTarget
  readonly lane: string | undefined
  /** The response that the call continues. */
  readonly previousId: string | undefined
}

/**
 * The sockets to vendors that serve the calls of one connection: one for each lane, channel and key, because a
 * vendor runs one response at a time on a socket. They are closed with the caller's connection.
 */
export class UpstreamSockets {
  readonly #openSocket: OpenSocket
  /** Oldest first. */
  readonly #open = new Set<UpstreamSocket>()
  #isClosing = false

  constructor(openSocket: OpenSocket) {
    this.#openSocket = openSocket
  }

  /** An idle socket, best one that knows the response to be continued; otherwise a new one. */
  find(wish: SocketWish): UpstreamSocket | undefined {
    const { target, lane, previousId } = wish
    const idle = [...this.#open].filter((socket) => socket.isIdle)
    const fitting = idle.filter((socket) => isSame(socket.target, target))
    const found =
      fitting.find(({ lastResponseId }) => previousId !== undefined && lastResponseId === previousId) ??
      fitting.find((socket) => socket.lane === lane)
    if (found === undefined) return this.open(wish)
    found.lane = lane
    return found
  }

  /** `undefined` when every socket is in use. */
  open({ target, lane }: SocketWish): UpstreamSocket | undefined {
    this.#makeRoom(target, lane)
    if (this.#open.size >= SOCKETS_MAX) return undefined
    const onClosed = (closed: UpstreamSocket) => void this.#open.delete(closed)
    const socket = new UpstreamSocket(target, { socket: this.#openSocket(target), onClosed })
    socket.lane = lane
    this.#open.add(socket)
    return socket
  }

  /** Call this when a call has ended on its socket. */
  ended(socket: UpstreamSocket, lastResponseId: string | undefined): void {
    socket.end(lastResponseId)
    if (this.#isClosing) socket.close()
  }

  ping(): void {
    for (const socket of this.#open) socket.ping()
  }

  /** Closes every socket, each when its running response has ended. */
  close(): void {
    this.#isClosing = true
    for (const socket of this.#open) if (socket.isIdle) socket.close()
  }

  /** A socket with an older credential or address of the channel is of no more use to its lane. */
  #makeRoom({ channelId }: SocketTarget, lane: string | undefined): void {
    const idle = [...this.#open].filter((socket) => socket.isIdle)
    const replaced = idle.find((socket) => socket.target.channelId === channelId && socket.lane === lane)
    replaced?.close()
    if (this.#open.size >= SOCKETS_MAX) idle.find((socket) => socket !== replaced)?.close()
  }
}

function isSame(one: SocketTarget, other: SocketTarget): boolean {
  const { channelId, url, proxy, headers } = one
  if (channelId !== other.channelId || url !== other.url || proxy !== other.proxy) return false
  const names = Object.keys(headers)
  return (
    names.length === Object.keys(other.headers).length &&
    names.every((name) => headers[name] === other.headers[name])
  )
}
