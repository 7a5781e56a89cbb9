import { type IncomingMessage } from 'node:http'
import { problem } from '@tollgate/problems/problem'
import type { WebSocket } from 'ws'
import type { Caller } from '../stations/admit/caller.ts'
import { Connection } from './connection.ts'
import type { ConnectionApp } from './connection-app.ts'

/** The open connections of the Responses API in this process. */
export class Connections {
  readonly #app: ConnectionApp
  readonly #open = new Set<Connection>()
  /** By id of the token. */
  readonly #counts = new Map<number, number>()

  constructor(app: ConnectionApp) {
    this.#app = app
  }

  get size(): number {
    return this.#open.size
  }

  /** Throws a Problem when the caller's token has as many connections as it may have. */
  check(caller: Caller): void {
    const { connectionsMax: max } = this.#app.snapshots.settings().responsesSocket
    if ((this.#counts.get(tokenOf(caller)) ?? 0) >= max)
      throw problem('websocket_connections_reached', { max })
  }

  open(socket: WebSocket, handshake: IncomingMessage, caller: Caller): void {
    const token = tokenOf(caller)
    this.#counts.set(token, (this.#counts.get(token) ?? 0) + 1)
    const onClosed = (closed: Connection) => {
      this.#open.delete(closed)
      const left = (this.#counts.get(token) ?? 0) - 1
      if (left > 0) this.#counts.set(token, left)
      else this.#counts.delete(token)
    }
    this.#open.add(new Connection({ socket, handshake, caller, app: this.#app, onClosed }))
  }

  /** Lets every connection end its running responses, and closes it then. */
  drain(): void {
    for (const connection of this.#open) connection.drain()
  }
}

function tokenOf({ token }: Caller): number {
  return token?.id ?? 0
}
