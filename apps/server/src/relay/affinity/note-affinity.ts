import type { Outcome } from '../outcome.ts'
import type { Held } from '../stations/hold/held.ts'
import type { Choice } from '../stations/route/choice.ts'
import type { Affinity } from './affinity.ts'
import { type Binding, bindingTo, isBoundTo } from './binding.ts'

type NotedCall = Pick<Held, 'affinity' | 'group' | 'ask' | 'settings'>

/**
 * Binds the session to the channel and key that served the call, for a while from now on, and ends a binding to
 * one that failed.
 */
export function noteAffinity(
  held: NotedCall,
  choice: Choice,
  { outcome, affinity }: { readonly outcome: Outcome; readonly affinity: Affinity },
): void {
  const { settings, group, ask } = held
  if (held.affinity === undefined || settings.affinity === undefined) return
  const { session, bindings } = held.affinity
  const binding = bindings.get(group)
  const isBound = isBoundTo(binding, choice)
  const place = { group, model: ask.model }
  const isKept = binding !== undefined && !settings.affinity.isMoved
  if (outcome.type === 'delivered' && outcome.ending !== 'broken') {
    const lifetimeMs = lifetimeOf(held, choice, { outcome, binding: isBound ? binding : undefined })
    if (lifetimeMs > 0 && (isBound || !isKept)) affinity.bind(session, place, bindingTo(choice, lifetimeMs))
  } else if (isBound && !isKept && hasFailed(outcome)) affinity.unbind(session, place)
}

/** Whether the channel failed the call. One that the caller made wrong fails everywhere. */
function hasFailed(outcome: Outcome): boolean {
  return outcome.type === 'delivered' || outcome.failure.blame !== 'caller'
}

interface Renewal {
  readonly outcome: Extract<Outcome, { type: 'delivered' }>
  /** The binding that is renewed. */
  readonly binding: Binding | undefined
}

/** 0 binds nothing. A caller who once asked for the upstream's long cache keeps the longer lifetime. */
function lifetimeOf(
  { settings, affinity }: NotedCall,
  { channel }: Choice,
  { outcome, binding }: Renewal,
): number {
  const { affinitySeconds } = channel.settings
  if (affinitySeconds !== undefined) return affinitySeconds * 1000
  if (affinity?.lifetimeMs !== undefined) return affinity.lifetimeMs
  const { lifetimeMs = 0, shortMs = 0 } = settings.affinity ?? {}
  const wasLong = binding !== undefined && binding.lifetimeMs > shortMs
  const isShort = outcome.hasShortCache === true && !wasLong && !outcome.reading.usage?.cacheWrite1h
  return isShort ? Math.min(shortMs, lifetimeMs) : lifetimeMs
}
