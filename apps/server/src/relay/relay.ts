import type { Admitted } from './stations/admit/admitted.ts'
import type { Call } from './call.ts'
import type { CallRoute } from './relay-route.ts'
import type { Outcome } from './outcome.ts'
import type { Held } from './stations/hold/held.ts'
import type { Choice } from './stations/route/choice.ts'

/** The stations of a call, in order. */
export interface Stations {
  /** Checks who is calling, whether they may, and what they request. Throws a Problem. */
  admit(call: Call, relayRoute: CallRoute): Promise<Admitted>
  /** Places the hold; nothing is sent upstream before it is committed. Throws a Problem. */
  hold(admitted: Admitted): Promise<Held>
  /** The channel and key for the next attempt; `undefined` when none is left. */
  route(held: Held): Choice | undefined
  /** One attempt on one channel. The response is delivered while it arrives. */
  attempt(held: Held, choice: Choice): Promise<Outcome>
  /** The outcome when no channel was available for the first attempt. */
  noChannel(held: Held): Outcome
  /**
   * The same call in the next group that may serve it, after this group has failed; `undefined` when none is
   * left.
   */
  elsewhere(held: Held, exit: Outcome | undefined): Held | undefined
  /** Whether another channel may be tried: never after a byte of a response has been sent to the caller. */
  mayTryAgain(held: Held, exit: Outcome): boolean
  /** Logs a bug of the gateway and returns it as a failed outcome. */
  failedBy(held: Held, bug: unknown): Outcome
  /** Sends the error to the caller if no attempt delivered a response. */
  refuse(held: Held, exit: Outcome): void
  /**
   * Settles the hold, exactly once, and writes the log row in the same transaction. Never throws; a shutdown
   * waits for it.
   */
  settle(held: Held, exit: Outcome): void
}

/**
 * Handles one call, from its request until its settlement is under way. Rejects only with errors of admission
 * or hold.
 */
export async function relay(call: Call, relayRoute: CallRoute, stations: Stations): Promise<void> {
  const admitted = await stations.admit(call, relayRoute)
  const held = await stations.hold(admitted)
  const ended = await carry(held, stations)
  stations.settle(ended.held, ended.exit)
}

/**
 * Makes attempts channel by channel and group by group, until one delivers a response or no other may follow.
 */
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
