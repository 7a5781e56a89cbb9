import { accountOwner } from '../core/account-kind.ts'
import { interruptedBy, interruptedSubject } from '../core/interrupted.ts'
import type { EntryState } from '../core/state.ts'
import { waivedSubject } from '../core/waived.ts'

/** What a batch of entries adds to one total. */
export interface TotalsDelta {
  readonly subject: string
  readonly used: bigint
  readonly calls: number
  readonly lastMs: number
}

/** The columns of an entry that totals are computed from. */
type Counted = Pick<
  EntryState,
  | 'kind'
  | 'flags'
  | 'requestId'
  | 'userAccount'
  | 'tokenAccount'
  | 'channelId'
  | 'amount'
  | 'waived'
  | 'priceJson'
  | 'createdMs'
>

/**
 * One row per subject: user, token and channel of a call, hours with interrupted calls, and waived charges.
 * Corrections are signed; refunds are subtracted.
 */
export function totalsDeltaOf(entries: readonly Counted[]): readonly TotalsDelta[] {
  const rows = new Map<string, TotalsDelta>()
  for (const entry of entries) {
    for (const subject of subjectsOf(entry))
      rows.set(subject, add(rows.get(subject) ?? emptyRow(subject), entry))
    for (const more of notedOf(entry))
      rows.set(more.subject, added(rows.get(more.subject) ?? emptyRow(more.subject), more))
  }
  return [...rows.values()]
}

/** Rows for calls that were interrupted or partly waived, shown to the operator. */
function notedOf(entry: Counted): readonly TotalsDelta[] {
  const { waived, createdMs: lastMs } = entry
  const interrupted = interruptedBy(entry)
  const rows: TotalsDelta[] = []
  if (interrupted !== 0)
    rows.push({ subject: interruptedSubject(lastMs), used: 0n, calls: interrupted, lastMs })
  if (waived > 0n) rows.push({ subject: waivedSubject(entry), used: waived, calls: 1, lastMs })
  return rows
}

function emptyRow(subject: string): TotalsDelta {
  return { subject, used: 0n, calls: 0, lastMs: 0 }
}

const OF_CALLS: ReadonlySet<EntryState['kind']> = new Set(['consume', 'correction', 'refund'])

function subjectsOf({ kind, requestId, userAccount, tokenAccount, channelId }: Counted): readonly string[] {
  if (requestId === undefined || !OF_CALLS.has(kind)) return []
  const subjects = [`user:${accountOwner(userAccount)}`]
  if (tokenAccount !== undefined) subjects.push(`token:${accountOwner(tokenAccount)}`)
  if (channelId !== undefined) subjects.push(`channel:${channelId}`)
  return subjects
}

function add(row: TotalsDelta, { kind, amount, createdMs }: Counted): TotalsDelta {
  const used = kind === 'refund' ? -amount : amount
  return added(row, { subject: row.subject, used, calls: kind === 'consume' ? 1 : 0, lastMs: createdMs })
}

/** Adds up two rows of the same subject. */
export function added(row: TotalsDelta, more: TotalsDelta): TotalsDelta {
  return {
    subject: row.subject,
    used: row.used + more.used,
    calls: row.calls + more.calls,
    lastMs: Math.max(row.lastMs, more.lastMs),
  }
}
