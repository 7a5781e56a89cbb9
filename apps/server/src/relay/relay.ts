import type { App } from './app.ts'
import type { Call } from './call.ts'
import type { Outcome } from './outcome.ts'
import type { CallRoute } from './relay-route.ts'
import { admit } from './stations/admit/admit.ts'
import { attempt } from './stations/attempt/attempt.ts'
import { failedByBug } from './stations/attempt/failed-by-bug.ts'
import { deliver } from './stations/deliver/deliver.ts'
import { hold } from './stations/hold/hold.ts'
import type { Held } from './stations/hold/held.ts'
import { record } from './stations/record/record.ts'
import { mayGoOn, noChannel } from './stations/route/go-on.ts'
import { inOrder } from './stations/route/in-order.ts'
import { route } from './stations/route/route.ts'
import { settle } from './stations/settle/settle.ts'

/**
 * Handles one call. From the hold on it is settled exactly once, before the caller has the whole answer, so
 * that no answer is lost to the ledger when the process is killed. Rejects with errors of admission or hold,
 * which were not settled, and with bugs of delivery.
 */
export async function relay(call: Call, callRoute: CallRoute, app: App): Promise<void> {
  app.tracing?.begin(call)
  const admitted = await admit(call, callRoute, app)
  const holding = hold(admitted, app)
  const first = holding instanceof Promise ? await holding : holding
  app.tracing?.of(call)?.held(first, app.now())
  const { held, outcome } = await serve(first, app)
  const startedAt = app.now()
  const settling = settle(held, outcome, app)
  const settled = settling instanceof Promise ? await settling : settling
  app.tracing?.of(call)?.settled(held, { outcome, charged: settled?.charged, startedAt, now: app.now() })
  deliver(held, outcome, settled)
  record(held, outcome, app)
}

interface Served {
  /** The call in the group that was tried last. */
  readonly held: Held
  readonly outcome: Outcome
}

/**
 * Makes attempts channel by channel and group by group, until one delivers a response or no other may follow.
 * A response passes to the caller while it arrives, except for its end.
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
    return { held, outcome: outcome ?? noChannel(held) }
  } catch (bug) {
    return { held, outcome: failedByBug(held, bug, app) }
  }
}
