import type { App } from '../../app.ts'
import { triesIn } from '../../call.ts'
import type { Held } from '../hold/held.ts'
import type { Choice } from './choice.ts'
import { drawChannel } from './draw.ts'
import { serves } from './serves.ts'

/** The channel and key for the next attempt of a call; `undefined` when every candidate was tried. */
export function route(
  held: Held,
  { health, now, random }: Pick<App, 'health' | 'now' | 'random'>,
): Choice | undefined {
  const { trail } = held.call
  const time = now()
  const { operation, uncounted } = held
  const names = { asked: held.ask.model, offered: held.candidates.model }
  const service = { operation: operation.wire, names, uncounted }
  const channel = drawChannel({
    tiers: held.candidates.tiers,
    attempt: triesIn(held.call, held.group),
    isTried: (id) => trail.some((note) => note.channelId === id),
    isResting: (candidate) => health.isResting(candidate, time),
    isFit: (candidate) => serves(candidate, service),
    random,
  })
  return channel && { channel, keyIndex: health.next(channel, time) }
}
