import type { RosterChannel } from '../../../snapshots/snapshots.ts'
import { type Binding, boundKey } from '../../affinity/binding.ts'
import type { App } from '../../app.ts'
import { triesIn } from '../../call.ts'
import type { Held } from '../hold/held.ts'
import type { Choice } from './choice.ts'
import { listKeysOfAccount } from '../../seals/seal-account.ts'
import { drawChannel } from './draw.ts'
import type { KeyHealth } from './key-health.ts'
import { serves } from '../../serves.ts'

type DrawnCall = Pick<Held, 'call' | 'group' | 'candidates' | 'affinity' | 'keeper' | 'seals'>
type RouteApp = Pick<App, 'health' | 'now' | 'random'>

/** The channel and key for the next attempt of a call; `undefined` when every candidate was tried. */
export function route(held: Held, app: RouteApp): Choice | undefined {
  const { operation, uncounted, ask, candidates } = held
  const names = { asked: ask.model, offered: candidates.model }
  const service = { operation: operation.wire, names, uncounted }
  return drawChoice(held, (channel) => serves(channel, service), app)
}

/** Draws among the candidates that are fit and were not tried yet. */
export function drawChoice(
  drawn: DrawnCall,
  isFit: (channel: RosterChannel) => boolean,
  app: RouteApp,
): Choice | undefined {
  const { call, group, candidates } = drawn
  const { health, now, random } = app
  const { trail } = call
  const time = now()
  const keys = openKeyFinder(drawn, { health, now: time })
  const channel = drawChannel({
    tiers: candidates.tiers,
    attempt: triesIn(call, group),
    isTried: (id) => trail.some((note) => note.channelId === id),
    isResting: (candidate) => health.isResting(candidate, time),
    isFit,
    isSealer: keys.findSealer && ((candidate) => keys.findSealer?.(candidate) !== undefined),
    isBound: keys.findBound && ((candidate) => keys.findBound?.(candidate) !== undefined),
    random,
  })
  return channel && { channel, keyIndex: health.next(channel, time, keys.find(channel)) }
}

type ReadyKeys = Pick<KeyHealth, 'isReady'>

interface KeyFinder {
  /** Absent where the call's session is bound to none. */
  readonly findBound?: ((channel: RosterChannel) => number | undefined) | undefined
  /** A key of the account that sealed what the call sends back; absent where no author is known. */
  readonly findSealer?: (channel: RosterChannel) => number | undefined
  /** The key that is taken out of turn. */
  readonly find: (channel: RosterChannel) => number | undefined
}

function openKeyFinder(
  { group, affinity, keeper, seals }: DrawnCall,
  rest: { readonly health: ReadyKeys; readonly now: number },
): KeyFinder {
  if (keeper !== undefined) {
    const findKept = (channel: RosterChannel) => boundKey(channel, keeper)
    return { findBound: affinity?.bindings.has(group) === true ? findKept : undefined, find: findKept }
  }
  const binding = affinity?.bindings.get(group)
  const account = seals?.account
  const findBound = binding && ((channel: RosterChannel) => usableKey(channel, binding, rest))
  if (account === undefined) return { findBound, find: (channel) => findBound?.(channel) }
  const findSealer = (channel: RosterChannel) => {
    const readers = listKeysOfAccount(channel, account)
    const boundIndex = findBound?.(channel)
    if (boundIndex !== undefined && readers.includes(boundIndex)) return boundIndex
    return readers.find((index) => rest.health.isReady(channel, index, rest.now))
  }
  return { findBound, findSealer, find: (channel) => findSealer(channel) ?? findBound?.(channel) }
}

/** The index of the bound key, if it belongs to this channel, is enabled and is not in cool-down. */
export function usableKey(
  channel: RosterChannel,
  binding: Binding,
  { health, now }: { readonly health: Pick<KeyHealth, 'isReady'>; readonly now: number },
): number | undefined {
  if (channel.id !== binding.channelId || channel.settings.affinitySeconds === 0) return undefined
  const index = boundKey(channel, binding)
  return index !== undefined && health.isReady(channel, index, now) ? index : undefined
}
