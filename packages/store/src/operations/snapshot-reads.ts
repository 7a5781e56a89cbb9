import type { Db } from '../tables/schema.ts'

/** Reads for the relay's snapshots: whole tables, or one row after it changed. */

export type UserSnapshotRow = Awaited<ReturnType<typeof readUsers>>[number]
export type TokenSnapshotRow = Awaited<ReturnType<typeof readTokens>>[number]
export type ChannelSnapshotRow = Awaited<ReturnType<typeof readChannels>>[number]

/**
 * User columns plus `account.paid` (whether the user has ever paid). It is the only account field that is
 * needed before the ledger is involved.
 */
function users(db: Db) {
  return db
    .selectFrom('users')
    .leftJoin('account', (join) =>
      join.onRef('account.owner_id', '=', 'users.id').on('account.kind', '=', 'user'),
    )
    .select([
      'users.id',
      'users.username',
      'users.role',
      'users.status',
      'users.group_name',
      'users.setting',
      'users.deleted_ms',
      'account.paid',
    ])
}

const tokenColumns = [
  'id',
  'user_id',
  'name',
  'key_hash',
  'key_form',
  'key_preview',
  'status',
  'expired_time',
  'unlimited_quota',
  'model_limits_enabled',
  'model_limits',
  'allow_ips',
  'group_name',
  'rpm_limit',
  'tpm_limit',
  'max_parallel_requests',
  'budget_quota',
  'budget_period',
  'group_order',
  'cross_group_retry',
] as const

export function readUsers(db: Db) {
  return users(db).where('users.deleted_ms', 'is', null).execute()
}

/** Also returns a deleted user, so that a snapshot sees the deletion. */
export function readUser(db: Db, id: number) {
  return users(db).where('users.id', '=', id).executeTakeFirst()
}

function liveTokens(db: Db) {
  return db.selectFrom('tokens').select(tokenColumns).where('deleted_ms', 'is', null)
}

export function readTokens(db: Db) {
  return liveTokens(db).execute()
}

/** `undefined` when the token does not exist or is deleted. */
export function readToken(db: Db, id: number) {
  return liveTokens(db).where('id', '=', id).executeTakeFirst()
}

export function readTokensOf(db: Db, ownerId: number) {
  return liveTokens(db).where('user_id', '=', ownerId).execute()
}

export function readChannels(db: Db) {
  return db
    .selectFrom('channels')
    .select([
      'id',
      'type',
      'name',
      'key_sealed',
      'status',
      'base_url',
      'other',
      'models',
      'group_names',
      'model_mapping',
      'status_code_mapping',
      'param_override',
      'header_override',
      'setting',
      'model_prefix',
      'openai_organization',
      'test_model',
      'priority',
      'weight',
      'auto_ban',
      'created_time',
      'version',
    ])
    .orderBy('id')
    .execute()
}
