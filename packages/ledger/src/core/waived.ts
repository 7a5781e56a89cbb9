import { priceNames } from './log-row.ts'
import type { EntryState } from './state.ts'

/**
 * What was waived, summed by the hour of UTC, channel and model under subjects of the totals such as
 * `waived:0489123:7:gpt-5`.
 */

const HOUR_MS = 3_600_000
const DIGITS = 7
/** A subject is a key of at most 255 characters. */
const MODEL_CHARACTERS_MAX = 200

type Waived = Pick<EntryState, 'channelId' | 'priceJson' | 'createdMs'>

export function waivedSubject({ channelId = 0, priceJson = '', createdMs }: Waived): string {
  const model = priceNames(priceJson).model.slice(0, MODEL_CHARACTERS_MAX).toWellFormed()
  return `${hourOf(createdMs)}:${channelId}:${model}`
}

/** The first and, exclusively, the last subject of the hours of this time. */
export function waivedSubjects({ fromMs, untilMs }: { readonly fromMs: number; readonly untilMs: number }) {
  return { from: hourOf(fromMs), until: hourOf(untilMs + HOUR_MS) }
}

/** `undefined` for the subject of another total. */
export function readWaivedSubject(
  subject: string,
): { readonly channelId: number; readonly model: string } | undefined {
  const [, channelId, model] = /^waived:\d+:(\d+):(.*)$/s.exec(subject) ?? []
  return channelId === undefined || model === undefined ? undefined : { channelId: Number(channelId), model }
}

/** Hours of one length, so that subjects sort by time. */
function hourOf(ms: number): string {
  return `waived:${String(Math.floor(ms / HOUR_MS)).padStart(DIGITS, '0')}`
}
