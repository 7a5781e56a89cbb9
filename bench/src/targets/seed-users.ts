import { sha256Hex } from '@tollgate/kit/ids'
import { systemClock } from '@tollgate/kit/clock'
import { accountId } from '@tollgate/ledger/account'
import { openLedger } from '@tollgate/ledger/open-ledger'
import type { Store } from '@tollgate/store/database/open-store'
import type { NewToken } from '@tollgate/store/accounts/tokens'

/** Above the ids that the gateway gave before. */
const FIRST_ID = 1_000
const ROWS_AT_ONCE = 200
const OPERATIONS_AT_ONCE = 512
const PLENTY = 10n ** 15n

/** Adds a user with an unlimited token and ample quota for each key, straight to the database. */
export async function seedUsers(store: Store, keys: readonly string[]): Promise<void> {
  const ids = keys.map((_, index) => FIRST_ID + index)
  for (let from = 0; from < keys.length; from += ROWS_AT_ONCE) {
    const some = ids.slice(from, from + ROWS_AT_ONCE)
    await store.db.insertInto('users').values(some.map(userRow)).execute()
    const tokens = some.map((id) => ({ id, ...tokenRow(id, keys[id - FIRST_ID] ?? '') }))
    await store.db.insertInto('tokens').values(tokens).execute()
  }
  const ledger = await openLedger({ store, clock: systemClock })
  const fill = async (id: number): Promise<void> => {
    await ledger.credit({ key: `gift:new:${id}`, account: accountId('user', id), amount: PLENTY })
    const account = accountId('token', id)
    await ledger.adjust({ key: `bench-${id}`, account, delta: 0n, unlimited: true })
  }
  for (let from = 0; from < ids.length; from += OPERATIONS_AT_ONCE)
    await Promise.all(ids.slice(from, from + OPERATIONS_AT_ONCE).map(fill))
  await ledger.close()
}

function userRow(id: number) {
  return {
    id,
    username: `user${id}`,
    username_key: `user${id}`,
    password_hash: '',
    display_name: `user${id}`,
    role: 1,
    status: 1,
    email: '',
    github_id: '',
    oidc_id: '',
    wechat_id: '',
    telegram_id: '',
    linux_do_id: '',
    access_token_hash: null,
    group_name: 'default',
    aff_code: `b${id}`,
    aff_count: 0,
    inviter_id: 0,
    setting: '',
    last_check_in_ms: null,
    created_ms: Date.now(),
    deleted_ms: null,
  }
}

function tokenRow(user: number, key: string): NewToken & { accessed_time: number; deleted_ms: null } {
  return {
    user_id: user,
    name: 'bench',
    key_hash: sha256Hex(key),
    key_sealed: '',
    key_preview: '',
    status: 1,
    created_time: Math.floor(Date.now() / 1000),
    accessed_time: 0,
    expired_time: -1,
    unlimited_quota: 1,
    model_limits_enabled: 0,
    model_limits: '',
    allow_ips: '',
    group_name: '',
    deleted_ms: null,
  }
}
