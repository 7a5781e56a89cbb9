import { once } from 'node:events'
import { type Server, type Socket, connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A network between a program and a server that a test can disturb. It starts healthy. */
export interface TcpProxy {
  readonly host: '127.0.0.1'
  readonly port: number
  /** Number of connections that are open now, and number accepted in all. */
  readonly open: number
  readonly accepted: number
  /** Delays every piece by this time; 0 ends the delay. */
  delay(ms: number): void
  /** Limits each direction of a connection to this rate; `Infinity` ends the limit. */
  throttle(bytesPerSecond: number): void
  /**
   * Passes nothing and closes nothing; new connections are accepted but get no data. This simulates an
   * unplugged cable.
   */
  freeze(): void
  /** Freezes after this many more bytes were sent to the server, even in the middle of a piece. */
  freezeAfter(bytes: number): void
  /**
   * Holds back the server's responses from the moment this text is sent to it; data to the server still
   * passes.
   */
  deafenAt(text: string): void
  /** Passes on everything that was held back. */
  thaw(): void
  /** Closes every connection in the orderly way. */
  cut(): void
  /** Resets every connection, as when a machine is killed. */
  reset(): void
  /** Resets every connection and refuses new ones until `comeBack`. */
  goDown(): Promise<void>
  comeBack(): Promise<void>
  close(): Promise<void>
}

export async function openTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const proxy = new Proxy(target)
  await proxy.comeBack()
  return proxy
}

class Proxy implements TcpProxy {
  readonly host = '127.0.0.1'
  readonly #target: { host: string; port: number }
  readonly #sockets = new Set<Socket>()
  #server: Server | undefined
  #delayMs = 0
  #bytesPerSecond = Infinity
  readonly #upward = new Direction()
  readonly #downward = new Direction()
  #deafeningText: string | undefined
  port = 0
  accepted = 0

  constructor(target: { host: string; port: number }) {
    this.#target = target
  }

  get open(): number {
    return this.#sockets.size / 2
  }

  delay(ms: number): void {
    this.#delayMs = ms
  }

  throttle(bytesPerSecond: number): void {
    this.#bytesPerSecond = bytesPerSecond
  }

  freeze(): void {
    for (const direction of [this.#upward, this.#downward]) direction.stop()
  }

  freezeAfter(bytes: number): void {
    this.#upward.countDown(bytes, () => this.freeze())
  }

  deafenAt(text: string): void {
    this.#deafeningText = text
  }

  thaw(): void {
    this.#deafeningText = undefined
    for (const direction of [this.#upward, this.#downward]) direction.go()
  }

  cut(): void {
    for (const socket of this.#sockets) socket.end()
  }

  reset(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy()
  }

  async goDown(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    const closed = new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()))
    this.reset()
    await closed
  }

  async comeBack(): Promise<void> {
    if (this.#server) return
    this.#server = createServer({ noDelay: true }, (client) => this.#join(client))
    this.#server.listen(this.port, this.host)
    await once(this.#server, 'listening')
    const address = this.#server.address()
    this.port = typeof address === 'object' && address ? address.port : 0
  }

  async close(): Promise<void> {
    this.thaw()
    await this.goDown()
  }

  #join(client: Socket): void {
    this.accepted++
    const server = connect({ ...this.#target, noDelay: true })
    for (const socket of [client, server]) {
      this.#sockets.add(socket)
      socket.on('close', () => this.#sockets.delete(socket))
      // An error on one side resets the other. The error itself was caused by the test on purpose.
      socket.on('error', () => (socket === client ? server : client).resetAndDestroy())
    }
    void this.#carry(client, server, this.#upward)
    void this.#carry(server, client, this.#downward)
  }

  async #carry(from: Socket, to: Socket, direction: Direction): Promise<void> {
    try {
      for await (const piece of from) {
        await this.#hinder(piece.length)
        if (direction === this.#upward) this.#listenFor(piece)
        for (const part of direction.split(piece)) {
          await direction.mayPass
          if (!to.write(part)) await once(to, 'drain')
        }
      }
      await direction.mayPass
      to.end()
    } catch {
      to.destroy()
    }
  }

  #listenFor(piece: Buffer): void {
    if (this.#deafeningText === undefined || !piece.includes(this.#deafeningText)) return
    this.#deafeningText = undefined
    this.#downward.stop()
  }

  async #hinder(bytes: number): Promise<void> {
    const waitMs = this.#delayMs + (bytes / this.#bytesPerSecond) * 1000
    if (waitMs > 0) await sleep(waitMs)
  }
}

/** Data in one direction, over all connections. */
class Direction {
  #bytesLeft = Infinity
  #onReached = (): void => undefined
  #gate: PromiseWithResolvers<void> | undefined

  get mayPass(): Promise<void> | undefined {
    return this.#gate?.promise
  }

  stop(): void {
    this.#gate ??= Promise.withResolvers()
  }

  go(): void {
    this.#bytesLeft = Infinity
    this.#gate?.resolve()
    this.#gate = undefined
  }

  countDown(bytes: number, onReached: () => void): void {
    this.#bytesLeft = bytes
    this.#onReached = onReached
  }

  /** Yields the part before the byte that is counted down to, and then the part after it. */
  *split(piece: Buffer): Generator<Buffer> {
    const before = piece.subarray(0, this.#bytesLeft)
    this.#bytesLeft -= before.length
    if (before.length > 0) yield before
    if (this.#bytesLeft > 0) return
    this.#bytesLeft = Infinity
    this.#onReached()
    if (before.length < piece.length) yield piece.subarray(before.length)
  }
}
