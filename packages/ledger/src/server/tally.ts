import { accountOwner } from '../core/account-kind.ts'
import type { EntryState } from '../core/state.ts'

/** What entries add to one total. */
export interface TallyRow {
  readonly subject: string
  readonly used: bigint
  readonly calls: number
  readonly lastMs: number
}

/** One row a subject: users, tokens and channels of calls. Corrections carry their sign, refunds are subtracted. */
export function tallyOf(entries: readonly EntryState[]): readonly TallyRow[] {
  const rows = new Map<string, TallyRow>()
  for (const entry of entries)
    for (const subject of subjectsOf(entry)) {
      const row = rows.get(subject) ?? { subject, used: 0n, calls: 0, lastMs: 0 }
      rows.set(subject, add(row, entry))
    }
  return [...rows.values()]
}

const OF_CALLS: ReadonlySet<EntryState['kind']> = new Set(['consume', 'correction', 'refund'])

function subjectsOf({
  kind,
  requestId,
  userAccount,
  tokenAccount,
  channelId,
}: EntryState): readonly string[] {
  if (requestId === undefined || !OF_CALLS.has(kind)) return []
  const subjects = [`user:${accountOwner(userAccount)}`]
  if (tokenAccount !== undefined) subjects.push(`token:${accountOwner(tokenAccount)}`)
  if (channelId !== undefined) subjects.push(`channel:${channelId}`)
  return subjects
}

function add(row: TallyRow, { kind, amount, createdMs }: EntryState): TallyRow {
  return {
    subject: row.subject,
    used: row.used + (kind === 'refund' ? -amount : amount),
    calls: row.calls + (kind === 'consume' ? 1 : 0),
    lastMs: Math.max(row.lastMs, createdMs),
  }
}
