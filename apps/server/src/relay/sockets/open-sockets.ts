import { accountId } from '@tollgate/ledger/account'
import type { Ledger } from '@tollgate/ledger/ledger'
import { type Problem, problem } from '@tollgate/problems/problem'
import { WebSocket } from 'ws'
import type { SnapshotChange, TokenEntry } from '../../snapshots/snapshots.ts'
import { balanceClassOf, type BalanceClass } from '../stations/admit/body-budget.ts'
import type { Caller } from '../stations/admit/caller.ts'
import type { Watch, Watched, Watching } from '../watch.ts'
import { findCurrentToken, findPermitProblem, type PermitApp, type SocketPermit } from './socket-permit.ts'

export interface OpenSocketsApp extends PermitApp {
  readonly ledger: Pick<Ledger, 'balance'>
  readonly watch: Watch
}

export interface OpenSocket {
  readonly permit: SocketPermit
  /** The caller may not go on. The socket ends as soon as that is possible without loss. */
  revoke(reason: Problem): void
}

/** That a socket is open: it counts for its user, and is ended when it is no longer permitted. */
export interface SocketSeat {
  end(): void
}

interface WatchedSocket {
  readonly socket: OpenSocket
  /** The token when it was checked last. */
  token: TokenEntry | undefined
}

/** So many sockets are checked in one turn of the event loop. */
const CHECKED_AT_ONCE = 1_000

/**
 * The open sockets of callers in this process: how many each user has, and whether each is still permitted.
 * While nothing changes, all of them together cost two comparisons a tick.
 */
export class OpenSockets implements Watched {
  readonly #app: OpenSocketsApp
  readonly #counts = new Map<number, number>()
  readonly #watched = new Set<WatchedSocket>()
  #watching: Watching | undefined
  #version = 0
  /** When the next token of a socket expires. */
  #expiryMs = Number.POSITIVE_INFINITY
  #settings: readonly unknown[] = []

  constructor(app: OpenSocketsApp) {
    this.#app = app
    app.snapshots.onChange(({ emptied }) => {
      if (this.#watched.size === 0) return
      if (emptied === undefined) this.tick()
      else this.#endSessions(emptied)
    })
  }

  /** Number of sockets whose permission is watched. */
  get size(): number {
    return this.#watched.size
  }

  /**
   * Counts a socket for its user. Throws a Problem, or rejects with one, when the user has as many as their
   * balance allows.
   */
  take({ owner: { id: userId } }: Pick<Caller, 'owner'>): SocketSeat | Promise<SocketSeat> {
    const { perUser, withoutBalance } = this.#app.snapshots.settings().sockets
    const count = this.#counts.get(userId) ?? 0
    if (count >= perUser) throw problem('sockets_of_user_reached', { max: perUser })
    this.#counts.set(userId, count + 1)
    let isTaken = true
    const end = () => {
      if (isTaken) this.#leave(userId)
      isTaken = false
    }
    if (count < withoutBalance) return { end }
    return this.readStanding(userId).then(
      (standing) => {
        if (standing !== 'none') return { end }
        end()
        throw problem('sockets_without_balance_reached', { max: withoutBalance })
      },
      (error: unknown) => {
        end()
        throw error
      },
    )
  }

  /** Counts a realtime session for its user until its socket is closed. Rejects with a Problem as {@link take}. */
  async takeFor(socket: WebSocket, caller: Pick<Caller, 'owner'>): Promise<void> {
    const seat = await this.take(caller)
    if (socket.readyState === WebSocket.CLOSED) seat.end()
    else socket.once('close', () => seat.end())
  }

  /** Ends the socket when it is no longer permitted. */
  watch(socket: OpenSocket): SocketSeat {
    const watched: WatchedSocket = { socket, token: socket.permit.caller.token }
    this.#watched.add(watched)
    this.#watching ??= this.#app.watch.add(this)
    this.#noteExpiry(watched.token)
    // Something may have changed since the caller was admitted.
    setImmediate(() => this.#watched.has(watched) && this.#check(watched))
    return {
      end: () => {
        this.#watched.delete(watched)
        if (this.#watched.size > 0) return
        this.#watching?.end()
        this.#watching = undefined
      },
    }
  }

  tick(): void {
    const { version } = this.#app.snapshots
    const hasExpired = this.#app.clock.nowMs() >= this.#expiryMs
    if (version === this.#version && !hasExpired) return
    this.#version = version
    this.#expiryMs = Number.POSITIVE_INFINITY
    const settings = this.#currentSettings()
    const isOnlyKeyring = !hasExpired && settings.every((each, place) => each === this.#settings[place])
    this.#settings = settings
    this.#checkSome(this.#watched.values(), isOnlyKeyring)
  }

  stopNow(): void {
    // Sessions and connections stop by themselves.
  }

  #currentSettings(): readonly unknown[] {
    const { snapshots } = this.#app
    return [snapshots.roster(), snapshots.prices(), snapshots.settings()]
  }

  #checkSome(sockets: SetIterator<WatchedSocket>, isOnlyKeyring: boolean): void {
    for (let checked = 0; checked < CHECKED_AT_ONCE; checked++) {
      const { value: watched } = sockets.next()
      if (watched === undefined) return
      const token = findCurrentToken(watched.socket.permit.caller, this.#app)
      this.#noteExpiry(token)
      if (isOnlyKeyring && token === watched.token && token !== undefined) continue
      watched.token = token
      this.#check(watched)
    }
    setImmediate(() => this.#checkSome(sockets, isOnlyKeyring))
  }

  #check({ socket }: WatchedSocket): void {
    const reason = findPermitProblem(socket.permit, this.#app)
    if (reason !== undefined) socket.revoke(reason)
  }

  #noteExpiry(token: TokenEntry | undefined): void {
    if (token === undefined || token.expiredTime === -1) return
    const expiryMs = token.expiredTime * 1000
    if (expiryMs > this.#app.clock.nowMs()) this.#expiryMs = Math.min(this.#expiryMs, expiryMs)
  }

  /**
   * All quota was taken away by hand. The balance is not read again: what the first of the sessions held, and
   * returns at its end, is no reason to keep the others.
   */
  #endSessions({ kind, id }: NonNullable<SnapshotChange['emptied']>): void {
    for (const { socket } of this.#watched) {
      const { caller, session } = socket.permit
      const owner = kind === 'user' ? caller.owner : caller.token
      if (session !== undefined && owner?.id === id)
        socket.revoke(problem('insufficient_user_quota', { remaining: 0n, needed: 1n }))
    }
  }

  /** What calls and sessions under way hold is a balance too. */
  async readStanding(userId: number): Promise<BalanceClass> {
    const balance = await this.#app.ledger.balance(accountId('user', userId))
    return balanceClassOf(balance === undefined ? 0n : balance.remaining + balance.reserved)
  }

  #leave(userId: number): void {
    const count = (this.#counts.get(userId) ?? 0) - 1
    if (count > 0) this.#counts.set(userId, count)
    else this.#counts.delete(userId)
  }
}
