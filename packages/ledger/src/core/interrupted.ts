import type { EntryState } from './state.ts'

/**
 * How many calls a crash interrupted, counted by the hour of UTC under subjects of the totals such as
 * `interrupted:0489123`. A late settlement brings in what such a call cost, so its correction counts as one less.
 */

const HOUR_MS = 3_600_000
const DIGITS = 7

/** Subjects of one length, so that they sort by time. */
export function interruptedSubject(ms: number): string {
  return `interrupted:${String(Math.floor(ms / HOUR_MS)).padStart(DIGITS, '0')}`
}

export const FIRST_INTERRUPTED = `interrupted:${'0'.repeat(DIGITS)}`
export const LAST_INTERRUPTED = `interrupted:${'9'.repeat(DIGITS)}`

/** By how much an entry changes the number of interrupted calls. */
export function interruptedBy({ kind, flags }: Pick<EntryState, 'kind' | 'flags'>): -1 | 0 | 1 {
  if (kind === 'correction') return -1
  return kind === 'consume' && flags.includes('recovered') ? 1 : 0
}
