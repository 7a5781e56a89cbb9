import type { IncomingMessage } from 'node:http'
import type { Writable } from 'node:stream'
import type { RelayLimits } from '../limits.ts'
import type { Watch } from '../watch.ts'
import { AnswerBudget, UNCOUNTED_BYTES } from './answer-budget.ts'
import type { AnswerLease } from './answer-lease.ts'
import { CallerPace } from './caller-pace.ts'

/** After its head, an answer waits this long for room. */
const WAIT_MS = 10_000

/** What rooms need of a call. */
export interface AnsweredCall {
  readonly request: Pick<IncomingMessage, 'socket'>
  readonly response: Writable
  readonly isGone: boolean
  /** Bytes of the response that the caller's socket has not taken yet. */
  readonly untakenBytes: number
  room: AnswerRoom | undefined
}

/** The room of all answers of the process. */
export class AnswerRooms {
  readonly budget: AnswerBudget
  readonly #pace: CallerPace

  constructor(limits: RelayLimits, watch: Pick<Watch, 'add'>) {
    this.budget = new AnswerBudget(limits)
    this.#pace = new CallerPace(this.budget, watch)
  }

  /** The room of the answers to one call; nothing is taken for small ones. */
  open(call: AnsweredCall, userId: number, onRoom: () => void): AnswerRoom {
    return new AnswerRoom(() => this.#lease(call, userId), call, onRoom)
  }

  #lease(call: AnsweredCall, userId: number): AnswerLease {
    const { response, request } = call
    this.#pace.start()
    return this.budget.open({
      userId,
      onRoom: () => call.room?.onRoom(),
      progress: () => ({
        takenBytes: request.socket.bytesWritten - request.socket.writableLength,
        isPending: call.untakenBytes > 0,
      }),
      cut: () => response.destroy(),
    })
  }
}

/** The room of the answer under way. It outlives the exchange, until the caller's socket took the last byte. */
export class AnswerRoom {
  readonly #open: () => AnswerLease
  readonly #onRoom: () => void
  readonly #call: AnsweredCall
  #lease: AnswerLease | undefined
  #waitsSince: number | undefined

  constructor(open: () => AnswerLease, call: AnsweredCall, onRoom: () => void) {
    this.#open = open
    this.#call = call
    this.#onRoom = onRoom
    // An attempt before this one has left nothing behind.
    this.#lease = call.room?.takeLease()
    call.room = this
  }

  get isWaiting(): boolean {
    return this.#waitsSince !== undefined
  }

  /** The room is full of other answers to the same user. */
  get isFullOfOwn(): boolean {
    return this.#lease?.waitsFor === 'user'
  }

  /** Says what the answer holds now. Returns whether there is room; otherwise `onRoom` is called later. */
  take(neededBytes: number, isGrowing: boolean, now: number): boolean {
    if (this.#lease === undefined && neededBytes <= UNCOUNTED_BYTES) return true
    this.#lease ??= this.#open()
    const hasRoom = this.#lease.need(neededBytes, isGrowing)
    this.#waitsSince = hasRoom ? undefined : (this.#waitsSince ?? now)
    return hasRoom
  }

  /** The answer is over, or all of it is there; what is left of it need not wait for room. */
  keep(neededBytes: number): void {
    this.#waitsSince = undefined
    this.#lease?.need(neededBytes, false)
  }

  isOverdue(now: number): boolean {
    return this.#waitsSince !== undefined && now - this.#waitsSince >= WAIT_MS
  }

  onRoom(): void {
    if (this.#waitsSince === undefined) return
    this.#waitsSince = undefined
    this.#onRoom()
  }

  takeLease(): AnswerLease | undefined {
    const lease = this.#lease
    this.#lease = undefined
    return lease
  }

  /** The call is over; its room is given back once its caller has everything, or is gone. */
  end(): void {
    if (this.#lease === undefined) return
    const { response, isGone } = this.#call
    if (isGone || response.writableFinished || response.destroyed) return this.#lease.end()
    response.once('close', () => this.#lease?.end())
  }
}
