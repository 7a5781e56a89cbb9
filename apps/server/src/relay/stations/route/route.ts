import type { RosterChannel } from '../../../snapshots/snapshots.ts'
import type { App } from '../../app.ts'
import { triesIn } from '../../call.ts'
import type { Held } from '../hold/held.ts'
import type { Choice } from './choice.ts'
import { drawChannel } from './draw.ts'
import { serves } from './serves.ts'

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
  { call, group, candidates: { tiers } }: Pick<Held, 'call' | 'group' | 'candidates'>,
  isFit: (channel: RosterChannel) => boolean,
  { health, now, random }: RouteApp,
): Choice | undefined {
  const { trail } = call
  const time = now()
  const channel = drawChannel({
    tiers,
    attempt: triesIn(call, group),
    isTried: (id) => trail.some((note) => note.channelId === id),
    isResting: (candidate) => health.isResting(candidate, time),
    isFit,
    random,
  })
  return channel && { channel, keyIndex: health.next(channel, time) }
}
