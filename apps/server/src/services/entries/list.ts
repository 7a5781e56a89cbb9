import { ENTRY_TOTAL_MAX, type LedgerEntry, type ledgerEntryQuery } from '@tollgate/contract/ledger-entry'
import { type AccountId, accountId } from '@tollgate/ledger/account'
import {
  type EntryRow,
  countEntries,
  listBalances,
  listEntries,
  sumEntriesAfter,
} from '@tollgate/store/trade/balances'
import type { z } from 'zod'
import type { Services } from '../services.ts'
import { wireQuota } from '../wire-quota.ts'
import { readPage } from '../page.ts'

export interface EntriesInput {
  readonly userId: number
  readonly query: z.output<typeof ledgerEntryQuery>
  /** Only operators may see the channels. */
  readonly showsChannels: boolean
}

/** One page of an account's ledger entries. */
export async function listAccountEntries({ store }: Pick<Services, 'store'>, input: EntriesInput) {
  const { userId, query } = input
  const account = accountId(query.account, userId)
  const filter = { account, kind: query.kind }
  return readPage(query, {
    list: (page) => listEntries(store, { ...filter, beforeId: query.before_id }, page),
    count: () => countEntries(store, filter, ENTRY_TOTAL_MAX),
    show: async (rows) => {
      const balances = await balancesAfter(store, account, rows)
      return rows.map((row, index) => toWireEntry(row, balances[index] ?? 0n, input.showsChannels))
    },
  })
}

/**
 * Returns the balance right after each entry: the current balance, ignoring holds of calls in flight, minus
 * all later entries. A filtered page leaves out entries between its rows, so the sum is computed for each row
 * separately.
 */
async function balancesAfter(
  store: Services['store'],
  account: AccountId,
  rows: readonly EntryRow[],
): Promise<bigint[]> {
  const [now] = await listBalances(store, [account])
  const settled = now ? now.remaining + now.reserved - now.debt : 0n
  const later = rows.map(({ id }) => sumEntriesAfter(store, { account, afterId: id }))
  return (await Promise.all(later)).map((sum) => settled - sum)
}

function toWireEntry(row: EntryRow, balanceAfter: bigint, showsChannels: boolean): LedgerEntry {
  return {
    id: row.id,
    created_at: Math.floor(row.created_ms / 1000),
    kind: row.kind,
    key: row.op_key,
    change: wireQuota(isCharge(row) ? -row.amount : row.amount),
    balance_after: wireQuota(balanceAfter),
    request_id: row.request_id ?? '',
    token_id: Math.floor((row.token_acct ?? 0) / 4),
    channel_id: showsChannels ? (row.channel_id ?? 0) : 0,
    flags: row.flags === '' ? [] : row.flags.split(','),
    waived: wireQuota(row.waived),
    note: row.note ?? '',
  }
}

function isCharge({ kind }: EntryRow): boolean {
  return kind === 'consume' || kind === 'correction'
}
