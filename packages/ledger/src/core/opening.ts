import { invariant } from '@tollgate/kit/invariant'
import type { OpenInput } from '../inputs.ts'
import { correct, grant, netBalance } from './account.ts'
import { isTokenAccount, isUserAccount } from './account-kind.ts'
import type { CommandContext, Decision } from './command.ts'
import type { BatchState } from './batch-state.ts'
import { creditKey, openingUseKey } from './keys.ts'
import { conflict } from './settlements.ts'
import type { AccountState, EntryState } from './state.ts'

const UNITS_MAX = 2n ** 62n

/**
 * Imports an account from another system as a grant of everything it ever had and a consume entry of what it
 * used, so that balances match the entries from the start. What it owes beyond that becomes debt. It is
 * unknown what was paid there, so a user account counts as paid.
 */
export function open(draft: BatchState, input: OpenInput, { nowMs }: CommandContext): Decision<'open'> {
  const { account, remaining, used, unlimited = false } = input
  invariant(used >= 0n, 'what was used is never negative')
  invariant(remaining > -UNITS_MAX && remaining + used < UNITS_MAX, 'an opened account fits its columns')
  invariant(!unlimited || isTokenAccount(account), 'only tokens can be unlimited')
  const known = draft.entry(creditKey(input.key))
  if (known) return repeatedOpening(known, input)
  if (!draft.isUntouched(account)) return { outcome: { type: 'occupied' } }
  const granted = grant(draft.account(account), remaining + used)
  const after = { ...correct(granted, used), isUnlimited: unlimited, hasPaid: isUserAccount(account) }
  draft.putAccount(after)
  for (const entry of openingEntries(after, input)) draft.addEntry({ ...entry, createdMs: nowMs })
  return { outcome: { type: 'opened', repeated: false } }
}

/**
 * An account that owes more than it used would need a negative grant. It is recorded as an adjustment
 * instead, since a credit is never negative.
 */
function openingEntries(after: AccountState, input: OpenInput): readonly EntryState[] {
  const { key, remaining, used } = input
  const amount = remaining + used
  const entry: EntryState = {
    opKey: creditKey(key),
    kind: amount >= 0n ? 'credit' : 'adjust',
    requestId: undefined,
    taskId: undefined,
    userAccount: after.id,
    tokenAccount: undefined,
    channelId: undefined,
    amount,
    flags: after.isUnlimited ? ['opening', 'unlimited'] : ['opening'],
    waived: 0n,
    balanceAfter: netBalance(after),
    priceJson: undefined,
    usageJson: undefined,
    note: input.note,
    createdMs: 0,
  }
  if (used === 0n) return [entry]
  return [entry, { ...entry, opKey: openingUseKey(key), kind: 'consume', amount: used }]
}

function repeatedOpening(known: EntryState, input: OpenInput): Decision<'open'> {
  const isSame =
    known.flags.includes('opening') &&
    known.userAccount === input.account &&
    known.amount === input.remaining + input.used &&
    known.balanceAfter === input.remaining &&
    known.flags.includes('unlimited') === (input.unlimited ?? false)
  if (isSame) return { outcome: { type: 'opened', repeated: true } }
  return {
    outcome: { type: 'conflict' },
    alarm: conflict(`the key ${known.opKey} came again with other figures`),
  }
}
