import type { EntryState } from './state.ts'

/**
 * Number of calls interrupted by a crash, counted per UTC hour in the totals, under subjects such as
 * `interrupted:0489123`. The correction of a late settlement brings in the real cost, so it decrements the
 * count.
 */

const HOUR_MS = 3_600_000
const DIGITS = 7

/** Zero-padded hours, so that subjects sort by time. */
export function interruptedSubject(ms: number): string {
  return `interrupted:${String(Math.floor(ms / HOUR_MS)).padStart(DIGITS, '0')}`
}

export const FIRST_INTERRUPTED = `interrupted:${'0'.repeat(DIGITS)}`
export const LAST_INTERRUPTED = `interrupted:${'9'.repeat(DIGITS)}`

/** The change that an entry makes to the number of interrupted calls. */
export function interruptedBy({ kind, flags }: Pick<EntryState, 'kind' | 'flags'>): -1 | 0 | 1 {
  if (kind === 'correction') return -1
  return kind === 'consume' && flags.includes('recovered') ? 1 : 0
}
