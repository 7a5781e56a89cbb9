import type { AdminUser } from '@tollgate/contract/admin-user'
import type { Language } from '@tollgate/problems/problem'
import { accountId } from '@tollgate/ledger/account'
import { listBalances } from '@tollgate/store/trade/balances'
import { type ManagedUserRow, callsOf, lastSeenOf } from '@tollgate/store/accounts/managed-users'
import { isTrusted } from '../../snapshots/trust.ts'
import type { Services } from '../services.ts'
import { type Managed, type Manager, permissionsOf } from './can-manage.ts'
import { figuresOf, profileOf } from '../user/self.ts'

export interface UserReader {
  readonly actor: Manager
  readonly language: Language
}

/** Users with their balances, call counts and the actions permitted to the reader, without secrets. */
export async function toWireUsers(
  { store, clock, options }: Pick<Services, 'store' | 'clock' | 'options'>,
  rows: readonly ManagedUserRow[],
  reader: UserReader,
): Promise<AdminUser[]> {
  const ids = rows.map(({ id }) => id)
  const accounts = ids.flatMap((id) => [accountId('user', id), accountId('affiliate', id)])
  const [balances, calls, seen] = await Promise.all([
    listBalances(store, accounts),
    callsOf(store, ids),
    lastSeenOf(store, { ids, nowMs: clock.nowMs() }),
  ])
  const balanceOf = new Map(balances.map((balance) => [balance.id, balance]))
  const isSelfUse = options.get('SelfUseModeEnabled')
  return rows.map((row) => ({
    ...profile(row),
    has_paid: isTrusted(
      { role: row.role, hasPaid: balanceOf.get(accountId('user', row.id))?.paid === 1 },
      { isSelfUse },
    ),
    ...figuresOf(balanceOf.get(accountId('user', row.id)), balanceOf.get(accountId('affiliate', row.id))),
    request_count: calls.get(row.id) ?? 0,
    last_seen_time: Math.floor((seen.get(row.id) ?? 0) / 1000),
    can: permissionsOf(reader.actor, managed(row), reader.language),
  }))
}

export function managed(row: Pick<ManagedUserRow, 'id' | 'role' | 'status' | 'deleted_ms'>): Managed {
  return { id: row.id, role: row.role, status: row.status, isDeactivated: row.deleted_ms !== null }
}

function profile({ created_ms, deleted_ms, remark, ...user }: ManagedUserRow) {
  return {
    ...profileOf(user),
    remark,
    created_time: Math.floor(created_ms / 1000),
    DeletedAt: deleted_ms === null ? null : new Date(deleted_ms).toISOString(),
  }
}
