import { triesIn } from '../../call.ts'
import type { Held } from '../hold/held.ts'
import type { Choice } from './choice.ts'

/** A call or a task submission in one of its groups; `next` is the same in the group to try after it. */
type InGroup<Group> = Pick<Held, 'call' | 'caller' | 'group' | 'settings'> & { readonly next?: Group }

interface Step<Group> {
  readonly held: Group
  /** `undefined` for a group that has no channel left. */
  readonly choice: Choice | undefined
}

/**
 * What to attempt, one step after the other: channel after channel of a group, as often as the operator
 * allows, and group after group. The loop over it ends it when no other attempt may follow.
 */
export function* inOrder<Group extends InGroup<Group>>(
  first: Group,
  route: (held: Group) => Choice | undefined,
): Generator<Step<Group>, void> {
  for (let held: Group | undefined = first; held !== undefined; held = held.next) {
    let choice = route(held)
    yield { held, choice }
    while (choice !== undefined && mayTryAnother(held)) {
      choice = route(held)
      if (choice !== undefined) yield { held, choice }
    }
  }
}

/** Whether another channel of the group may be tried. */
function mayTryAnother({ call, caller, group, settings }: InGroup<unknown>): boolean {
  return caller.pinned === undefined && triesIn(call, group) <= settings.retryTimes
}
