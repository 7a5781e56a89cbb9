import { once } from 'node:events'
import { type Server, type Socket, connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A network between a program and a server, which a test may spoil. It begins healthy. */
export interface TcpProxy {
  readonly host: '127.0.0.1'
  readonly port: number
  /** Connections open now, and how many were accepted in all. */
  readonly open: number
  readonly accepted: number
  /** Every piece waits this long on its way; 0 ends it. */
  delay(ms: number): void
  /** At most this much in each direction of a connection; `Infinity` ends it. */
  throttle(bytesPerSecond: number): void
  /** Nothing passes and nothing is closed, new connections are accepted and silent: a cable pulled out. */
  freeze(): void
  /** Freezes once so many further bytes have gone to the server, in the middle of a piece if need be. */
  freezeAfter(bytes: number): void
  /** What was held back passes. */
  thaw(): void
  /** Ends every connection in the orderly way. */
  cut(): void
  /** Ends every connection the way a killed machine does. */
  reset(): void
  /** Resets, and refuses new connections until `comeBack`. */
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
  #bytesUntilFrozen = Infinity
  #thawed: PromiseWithResolvers<void> | undefined
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
    this.#thawed ??= Promise.withResolvers()
  }

  freezeAfter(bytes: number): void {
    this.#bytesUntilFrozen = bytes
  }

  thaw(): void {
    this.#bytesUntilFrozen = Infinity
    this.#thawed?.resolve()
    this.#thawed = undefined
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
      // What one side does, the other learns; the error itself is the test's doing.
      socket.on('error', () => (socket === client ? server : client).resetAndDestroy())
    }
    void this.#carry(client, server, true)
    void this.#carry(server, client, false)
  }

  async #carry(from: Socket, to: Socket, isUpward: boolean): Promise<void> {
    try {
      for await (const piece of from) {
        await this.#hinder(piece.length)
        for (const part of isUpward ? this.#split(piece) : [piece]) {
          await this.#thawed?.promise
          if (!to.write(part)) await once(to, 'drain')
        }
      }
      await this.#thawed?.promise
      to.end()
    } catch {
      to.destroy()
    }
  }

  async #hinder(bytes: number): Promise<void> {
    const waitMs = this.#delayMs + (bytes / this.#bytesPerSecond) * 1000
    if (waitMs > 0) await sleep(waitMs)
  }

  /** The part before the freezing point and the part behind it. */
  *#split(piece: Buffer): Generator<Buffer> {
    const before = piece.subarray(0, this.#bytesUntilFrozen)
    this.#bytesUntilFrozen -= before.length
    if (before.length > 0) yield before
    if (this.#bytesUntilFrozen > 0) return
    this.#bytesUntilFrozen = Infinity
    this.freeze()
    if (before.length < piece.length) yield piece.subarray(before.length)
  }
}
