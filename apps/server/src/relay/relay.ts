import type { App } from './app.ts'
import type { Call } from './call.ts'
import type { Outcome } from './outcome.ts'
import type { CallRoute } from './relay-route.ts'
import { admit } from './stations/admit/admit.ts'
import { attempt } from './stations/attempt/attempt.ts'
import { deliver, deliverBug } from './stations/deliver/deliver.ts'
import { hold } from './stations/hold/hold.ts'
import type { Held } from './stations/hold/held.ts'
import { record } from './stations/record/record.ts'
import { refuseKnown } from './stations/record/refusals.ts'
import { mayGoOn, noChannel } from './stations/route/go-on.ts'
import { inOrder } from './stations/route/in-order.ts'
import { route } from './stations/route/route.ts'
import { settle } from './stations/settle/settle.ts'

/**
 * Handles one call, from its request until its settlement is under way. Rejects only with errors of admission
 * or hold; from the hold on, the call is settled exactly once.
 */
export async function relay(call: Call, callRoute: CallRoute, app: App): Promise<void> {
  const admitted = await admit(call, callRoute, app)
  const first = await hold(admitted, app).catch((error: unknown) => refuseKnown(error, admitted))
  const { held, outcome } = await serve(first, app)
  app.inFlight.track(settle(held, outcome, app))
  record(held, outcome, app)
}

interface Served {
  /** The call in the group that was tried last. */
  readonly held: Held
  readonly outcome: Outcome
}

/**
 * Makes attempts channel by channel and group by group, until one delivers a response or no other may follow.
 * A response is delivered while it arrives; the last error is delivered here.
 */
async function serve(first: Held, app: App): Promise<Served> {
  let held = first
  let outcome: Outcome | undefined
  try {
    for (const step of inOrder(first, (group) => route(group, app))) {
      held = step.held
      if (step.choice !== undefined) outcome = await attempt(held, step.choice, app)
      if (outcome !== undefined && !mayGoOn(held, outcome, app)) break
    }
    outcome ??= noChannel(held)
    deliver(held, outcome)
    return { held, outcome }
  } catch (bug) {
    return { held, outcome: deliverBug(held, bug, app) }
  }
}
