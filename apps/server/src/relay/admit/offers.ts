import type { Ask } from '@tollgate/dialects/dialect'
import type { CallOperation } from '@tollgate/dialects/conversations'
import { problem } from '@tollgate/kit/problem'
import type { Candidates, Roster } from '../../books/books.ts'
import { serves } from '../route/serves.ts'
import type { Offer } from './admitted.ts'
import type { Caller } from './caller.ts'

interface Wanted {
  readonly ask: Ask
  /** In the order in which they are tried. */
  readonly groups: readonly string[]
  readonly operation: CallOperation
  readonly roster: Roster
}

/** Of these groups the ones with a channel for the call, one at least. Throws the Problem of a caller that gets none. */
export function offersFor(
  caller: Caller,
  { ask, groups, operation, roster }: Wanted,
): readonly [Offer, ...(readonly Offer[])] {
  const { token, pinned } = caller
  const { model } = ask
  const [group = ''] = groups
  if (pinned) {
    const name = withoutPrefix(model, pinned.modelPrefix)
    return [{ group, candidates: { model: name, tiers: [[pinned]] } }]
  }
  if (token?.models !== undefined && !token.models.has(model)) throw problem('model_not_allowed', { model })
  const [first, ...others] = groups
    .map((name) => ({ group: name, candidates: roster.candidates(name, model) }))
    .filter(({ candidates }) => isServed(candidates, model, operation))
  if (first !== undefined) return [first, ...others]
  const told = { model, group: groups.join(', ') }
  throw problem(token ? 'no_channel' : 'get_playground_channel_failed', told)
}

function isServed({ model: offered, tiers }: Candidates, asked: string, operation: CallOperation): boolean {
  return tiers.some((tier) => tier.some((channel) => serves(channel, operation, { asked, offered })))
}

function withoutPrefix(model: string, prefix: string): string {
  return prefix !== '' && model.startsWith(prefix) ? model.slice(prefix.length) : model
}
