import type { LedgerEntry } from '@tollgate/contract/ledger-entry'
import { ledgerMessages } from './ledger-messages.ts'

type Translate = typeof ledgerMessages.t

export type ReasonedEntry = Pick<LedgerEntry, 'key' | 'note'>

/**
 * Explains why a balance changed, in the reader's language; `undefined` if neither the operation nor a note
 * explains it.
 */
export function useEntryReason(): (entry: ReasonedEntry) => string | undefined {
  const t = ledgerMessages.use()
  return (entry) => entryReason(entry, t)
}

/** The key contains the operation and its subject: `gift:new:7`, `redeem:3`, `checkin:7:2026-11-21`. */
export function entryReason({ key, note }: ReasonedEntry, t: Translate): string | undefined {
  for (const [pattern, wordsOf] of reasons) {
    const found = pattern.exec(key)
    if (found !== null) return wordsOf(t, { first: found[1] ?? '', note })
  }
  return note === '' ? undefined : note
}

type WordsOf = (t: Translate, about: { readonly first: string; readonly note: string }) => string

const reasons: readonly (readonly [RegExp, WordsOf])[] = [
  [/^rebate:/, (t) => t('rebate')],
  [/^gift:new:/, (t) => t('newUser')],
  [/^gift:(\d+):/, (t, { first }) => t('gift', { id: first })],
  [/^invited:/, (t) => t('invitee')],
  [/^invite:(\d+)/, (t, { first }) => t('inviter', { user: first })],
  [/^redeem:(\d+)/, (t, { first }) => t('redeem', { id: first })],
  [/^topup:/, (t) => t('topUp')],
  [/^checkin:\d+:([\d-]+)/, (t, { first }) => t('checkIn', { day: first })],
  [/^setup:root$/, (t) => t('setup')],
  [/^adjust:user:/, (t, { note }) => adminWords(note, t)],
  [/^transfer:/, (t) => t('transferOut')],
  [/^transferred:/, (t) => t('transferIn')],
  [/^(?:opening:)?import:/, (t) => t('opening')],
  [/^consume:/, (t) => t('call')],
  [/^correction:/, (t) => t('correction')],
  [/^refund(?:ed)?:/, (t) => t('task')],
]

/** Parses the server's text: `by user 1`, or `by user 1: for the party`. */
function adminWords(text: string, t: Translate): string {
  const [, id, note] = /^by user (\d+)(?:: ([^]*))?$/.exec(text) ?? []
  if (id === undefined) return text
  return note === undefined ? t('admin', { id }) : t('adminNote', { id, note })
}
