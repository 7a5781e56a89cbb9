import type { Admitted } from './admit/admitted.ts'
import type { Call } from './call.ts'
import type { CallEntrance } from './entrance.ts'
import type { Outcome } from './outcome.ts'
import type { Held } from './hold/held.ts'
import type { Choice } from './route/choice.ts'

/** The stations of a call, in the order it passes them. */
export interface Stations {
  /** Who is calling, may they, and what do they ask? Throws a Problem. */
  admit(call: Call, entrance: CallEntrance): Promise<Admitted>
  /** Sets quota aside; nothing goes upstream before that is durable. Throws a Problem. */
  hold(admitted: Admitted): Promise<Held>
  /** The channel and key for the next attempt; `undefined` when none is left. */
  route(held: Held): Choice | undefined
  /** One try on one channel. An answer is delivered while it comes in. */
  attempt(held: Held, choice: Choice): Promise<Outcome>
  /** No candidate was left for the first attempt. */
  noChannel(held: Held): Outcome
  /** The same call in the next group that may serve it, when this one is at its end; `undefined` when none is left. */
  elsewhere(held: Held, exit: Outcome | undefined): Held | undefined
  /** Whether another channel may try: never after a byte of an answer reached the caller. */
  mayTryAgain(held: Held, exit: Outcome): boolean
  /** A bug of ours as an exit, logged whole. */
  failedBy(held: Held, bug: unknown): Outcome
  /** Tells the caller, when no attempt brought an answer. */
  refuse(held: Held, exit: Outcome): void
  /** Ends the hold, exactly once, with the record in the same transaction. Never throws; a stop waits for it. */
  settle(held: Held, exit: Outcome): void
}

/**
 * One call, from its first byte in until its settlement is under way. Rejects only with what admission or hold threw.
 */
export async function relay(call: Call, entrance: CallEntrance, stations: Stations): Promise<void> {
  const admitted = await stations.admit(call, entrance)
  const held = await stations.hold(admitted)
  const ended = await carry(held, stations)
  stations.settle(ended.held, ended.exit)
}

/** Attempts, one after the other and one group after the other, until one delivers or none may follow. */
async function carry(first: Held, stations: Stations): Promise<{ held: Held; exit: Outcome }> {
  let held = first
  let exit: Outcome | undefined
  try {
    for (let next: Held | undefined = first; next !== undefined; next = stations.elsewhere(held, exit)) {
      held = next
      let choice = stations.route(held)
      while (choice !== undefined) {
        exit = await stations.attempt(held, choice)
        choice = stations.mayTryAgain(held, exit) ? stations.route(held) : undefined
      }
    }
    exit ??= stations.noChannel(held)
    stations.refuse(held, exit)
    return { held, exit }
  } catch (bug) {
    return { held, exit: stations.failedBy(held, bug) }
  }
}
