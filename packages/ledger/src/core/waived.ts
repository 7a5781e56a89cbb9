import { priceNames } from './log-row.ts'
import type { EntryState } from './state.ts'

/**
 * Waived charges, summed per UTC hour, channel and model in the totals, under subjects such as
 * `waived:0489123:7:gpt-5`.
 */

const HOUR_MS = 3_600_000
const DIGITS = 7
/** Leaves room in a subject, which is a key of at most 255 characters. */
const MODEL_CHARACTERS_MAX = 200

type Waived = Pick<EntryState, 'channelId' | 'priceJson' | 'createdMs'>

export function waivedSubject({ channelId = 0, priceJson = '', createdMs }: Waived): string {
  const model = priceNames(priceJson).model.slice(0, MODEL_CHARACTERS_MAX).toWellFormed()
  return `${hourOf(createdMs)}:${channelId}:${model}`
}

/** Subject range of a time span: `from` inclusive, `until` exclusive. */
export function waivedSubjects({ fromMs, untilMs }: { readonly fromMs: number; readonly untilMs: number }) {
  return { from: hourOf(fromMs), until: hourOf(untilMs + HOUR_MS) }
}

/** Returns `undefined` for a subject of another kind of total. */
export function readWaivedSubject(
  subject: string,
): { readonly channelId: number; readonly model: string } | undefined {
  const [, channelId, model] = /^waived:\d+:(\d+):(.*)$/s.exec(subject) ?? []
  return channelId === undefined || model === undefined ? undefined : { channelId: Number(channelId), model }
}

/** Zero-padded hours, so that subjects sort by time. */
function hourOf(ms: number): string {
  return `waived:${String(Math.floor(ms / HOUR_MS)).padStart(DIGITS, '0')}`
}
