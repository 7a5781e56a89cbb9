import type { AdminUser } from '@tollgate/contract/admin-user'
import type { Language } from '@tollgate/problems/problem'
import { accountId } from '@tollgate/ledger/account'
import { type BalanceRow, listBalances } from '@tollgate/store/trade/balances'
import { type ManagedUserRow, callsOf, lastSeenOf } from '@tollgate/store/accounts/managed-users'
import { shownSetting } from '../account/setting-text.ts'
import { isTrusted } from '../../snapshots/trust.ts'
import type { Services } from '../services.ts'
import { wireQuota } from '../wire-quota.ts'
import { type Managed, type Manager, permissionsOf } from './can-manage.ts'

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
    ...figures(balanceOf.get(accountId('user', row.id)), balanceOf.get(accountId('affiliate', row.id))),
    request_count: calls.get(row.id) ?? 0,
    last_seen_time: seconds(seen.get(row.id) ?? 0),
    can: permissionsOf(reader.actor, managed(row), reader.language),
  }))
}

export function managed(row: Pick<ManagedUserRow, 'id' | 'role' | 'status' | 'deleted_ms'>): Managed {
  return { id: row.id, role: row.role, status: row.status, isDeactivated: row.deleted_ms !== null }
}

function profile(row: ManagedUserRow) {
  const {
    group_name,
    last_check_in_ms,
    has_access_token,
    has_password,
    has_default_password,
    created_ms,
    deleted_ms,
    setting,
    ...plain
  } = row
  return {
    ...plain,
    password: '' as const,
    verification_code: '' as const,
    access_token: null,
    has_access_token: Boolean(has_access_token),
    has_password: Boolean(has_password),
    has_default_password: has_default_password === 1,
    group: group_name,
    setting: shownSetting(setting),
    last_check_in_time: isoTime(last_check_in_ms),
    created_time: seconds(created_ms),
    DeletedAt: isoTime(deleted_ms),
  }
}

function figures(own: BalanceRow | undefined, affiliate: BalanceRow | undefined) {
  return {
    quota: own ? wireQuota(own.remaining - own.debt) : 0,
    used_quota: own ? wireQuota(own.used) : 0,
    aff_quota: affiliate ? wireQuota(affiliate.remaining) : 0,
    aff_history_quota: affiliate ? wireQuota(affiliate.granted) : 0,
  }
}

function isoTime(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString()
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}
