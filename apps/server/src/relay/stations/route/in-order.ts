import type { RelaySettings } from '../../../snapshots/relay-settings.ts'
import { type Call, triesIn } from '../../call.ts'
import type { Caller } from '../admit/caller.ts'
import type { Choice } from './choice.ts'

/** A call or a task submission in one of its groups. */
interface InGroup<Held> {
  readonly call: Pick<Call, 'trail'>
  readonly caller: Pick<Caller, 'pinned'>
  readonly group: string
  readonly settings: Pick<RelaySettings, 'retryTimes'>
  /** The same in the group to try after this one. */
  readonly next?: Held
}

interface Step<Held> {
  readonly held: Held
  /** `undefined` for a group that has no channel left. */
  readonly choice: Choice | undefined
}

/**
 * What to attempt, one step after the other: channel after channel of a group, as often as the operator
 * allows, and group after group. The loop over it ends it when no other attempt may follow.
 */
export function* inOrder<Held extends InGroup<Held>>(
  first: Held,
  route: (held: Held) => Choice | undefined,
): Generator<Step<Held>, void> {
  for (let held: Held | undefined = first; held !== undefined; held = held.next) {
    let choice = route(held)
    yield { held, choice }
    while (choice !== undefined && mayTryAnother(held)) {
      choice = route(held)
      if (choice !== undefined) yield { held, choice }
    }
  }
}

/** Whether another channel of the group may be tried. */
function mayTryAnother<Held>({ call, caller, group, settings }: InGroup<Held>): boolean {
  return caller.pinned === undefined && triesIn(call, group) <= settings.retryTimes
}
