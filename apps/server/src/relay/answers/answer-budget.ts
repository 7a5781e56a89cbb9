import { problem } from '@tollgate/problems/problem'
import { AnswerLease, ORDINARY_BYTES, roundUp, type FullRoom, type LeaseHolder } from './answer-lease.ts'

/** Answers that hold no more are not counted; the number of calls bounds them. */
export const UNCOUNTED_BYTES = 64 * 1024
const RETRY_SECONDS = 2

export interface AnswerBudgetLimits {
  /** Size of the largest permitted answer; the budget always has room for one. */
  readonly answerBytesMax: number
  readonly answersBytesMax: number
  readonly userAnswersBytesMax: number
}

/**
 * Budget for the bytes of answers that the process holds, per process and per user: from their head on, until the
 * socket of their caller took the last byte. An answer that finds no room waits; the fullest is served first.
 *
 * Answers of unknown length take room as they grow, and half of one is of no use. So room is only given while enough
 * stays free for the fullest of them to become as large as permitted: it can always end, and its room lets the next
 * one end. Among the answers of one user, the fullest may exceed the room of the user for the same reason.
 */
export class AnswerBudget {
  readonly #processMax: number
  readonly #userMax: number
  readonly #answerMax: number
  readonly #leases = new Set<AnswerLease>()
  readonly #users = new Map<number, number>()
  #waiting: AnswerLease[] = []
  #used = 0
  #isServing = false

  constructor({ answerBytesMax, answersBytesMax, userAnswersBytesMax }: AnswerBudgetLimits) {
    this.#answerMax = answerBytesMax
    this.#processMax = Math.max(answersBytesMax, Math.ceil((answerBytesMax * 4) / 3))
    this.#userMax = Math.max(userAnswersBytesMax, answerBytesMax)
  }

  get used(): number {
    return this.#used
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** All answers that hold or want room. */
  get leases(): Iterable<AnswerLease> {
    return this.#leases
  }

  /** Throws a Problem while the answers of a user fill their room: nothing more is asked for then. */
  requireRoom(userId: number): void {
    const isWaiting = this.#waiting.some((lease) => lease.userId === userId && lease.waitsFor === 'user')
    if (isWaiting || this.#ofUser(userId) + UNCOUNTED_BYTES > this.#userMax)
      throw problem('too_many_answer_bytes', { limit: this.#userMax, seconds: RETRY_SECONDS })
  }

  open(holder: LeaseHolder): AnswerLease {
    const lease = new AnswerLease(this, holder)
    this.#leases.add(lease)
    return lease
  }

  /** Tries to make a lease hold what it needs; otherwise the lease hears when there is room. */
  settle(lease: AnswerLease): void {
    const roomBytes = roundUp(lease.neededBytes)
    if (roomBytes <= lease.bytes) {
      this.#leave(lease)
      this.#add(lease, roomBytes - lease.bytes)
    } else if (!this.#waiting.includes(lease)) this.#waiting.push(lease)
    this.#serve()
  }

  end(lease: AnswerLease): void {
    this.#leases.delete(lease)
    this.#leave(lease)
    this.#add(lease, -lease.bytes)
    this.#serve()
  }

  /** Whether an answer waits for the room that this one holds. */
  isWaitedFor(lease: AnswerLease): boolean {
    return this.#waiting.some(
      (other) => other !== lease && (other.waitsFor === 'process' || other.userId === lease.userId),
    )
  }

  /** Gives room to those that wait, the fullest first; who came first among equals. */
  #serve(): void {
    if (this.#isServing || this.#waiting.length === 0) return
    this.#isServing = true
    const served: AnswerLease[] = []
    // The sort is stable.
    let isBlocked = false
    for (const lease of [...this.#waiting].sort((one, other) => other.bytes - one.bytes)) {
      const roomBytes = roundUp(lease.neededBytes)
      const isOrdinary = roomBytes <= ORDINARY_BYTES
      lease.waitsFor = this.#fullRoom(lease, roomBytes)
      // A large answer is not overtaken for ever by later ones; what its own user fills holds up nobody else.
      if (lease.waitsFor === undefined && isBlocked && !isOrdinary && lease.bytes === 0)
        lease.waitsFor = 'process'
      if (lease.waitsFor === 'process' && !isOrdinary) isBlocked = true
      if (lease.waitsFor !== undefined) continue
      this.#add(lease, roomBytes - lease.bytes)
      served.push(lease)
    }
    this.#waiting = this.#waiting.filter((lease) => !served.includes(lease))
    this.#isServing = false
    for (const lease of served) lease.served()
  }

  /** The room that has no place for a lease of this size; `undefined` if both have. */
  #fullRoom(lease: AnswerLease, roomBytes: number): FullRoom | undefined {
    const others = this.#ofUser(lease.userId) - lease.bytes
    const mayExceed = lease.isGrowing && others <= this.#userMax
    if (others + roomBytes > this.#userMax && !(mayExceed && this.#fullest(lease.userId) === lease))
      return 'user'
    const used = this.#used - lease.bytes + roomBytes
    const fullest = this.#fullest()
    if (fullest === lease) return used > this.#processMax ? 'process' : undefined
    const isOrdinary = roomBytes <= ORDINARY_BYTES
    const most = isOrdinary ? this.#processMax : (this.#processMax * 3) / 4
    const ending = Math.max(fullest?.bytes ?? 0, lease.isGrowing ? roomBytes : 0)
    const reserve = fullest === undefined && !lease.isGrowing ? 0 : this.#answerMax - ending
    return used > Math.min(most, this.#processMax - reserve) ? 'process' : undefined
  }

  /** The growing answer that holds most, of all or of one user; the first of them among equals. */
  #fullest(userId?: number): AnswerLease | undefined {
    let fullest: AnswerLease | undefined
    for (const lease of this.#leases) {
      if (!lease.isGrowing || lease.bytes === 0 || (userId !== undefined && lease.userId !== userId)) continue
      if (fullest === undefined || lease.bytes > fullest.bytes) fullest = lease
    }
    return fullest
  }

  #ofUser(userId: number): number {
    return this.#users.get(userId) ?? 0
  }

  #leave(lease: AnswerLease): void {
    lease.waitsFor = undefined
    this.#waiting = this.#waiting.filter((other) => other !== lease)
  }

  #add(lease: AnswerLease, bytes: number): void {
    lease.bytes += bytes
    this.#used += bytes
    const ofUser = this.#ofUser(lease.userId) + bytes
    if (ofUser === 0) this.#users.delete(lease.userId)
    else this.#users.set(lease.userId, ofUser)
  }
}
