import type { RosterChannel } from '../../../snapshots/snapshots.ts'
import { type Binding, boundKey } from '../../affinity/binding.ts'
import type { App } from '../../app.ts'
import { triesIn } from '../../call.ts'
import type { Held } from '../hold/held.ts'
import type { Choice } from './choice.ts'
import { drawChannel } from './draw.ts'
import type { KeyHealth } from './key-health.ts'
import { serves } from '../../serves.ts'

type DrawnCall = Pick<Held, 'call' | 'group' | 'candidates' | 'affinity' | 'keeper'>
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
  { call, group, candidates: { tiers }, affinity, keeper }: DrawnCall,
  isFit: (channel: RosterChannel) => boolean,
  { health, now, random }: RouteApp,
): Choice | undefined {
  const { trail } = call
  const time = now()
  const binding = affinity?.bindings.get(group)
  const findKey = (channel: RosterChannel) =>
    keeper === undefined
      ? binding && usableKey(channel, binding, { health, now: time })
      : boundKey(channel, keeper)
  const channel = drawChannel({
    tiers,
    attempt: triesIn(call, group),
    isTried: (id) => trail.some((note) => note.channelId === id),
    isResting: (candidate) => health.isResting(candidate, time),
    isFit,
    isBound: binding && ((candidate) => findKey(candidate) !== undefined),
    random,
  })
  return channel && { channel, keyIndex: health.next(channel, time, findKey(channel)) }
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
