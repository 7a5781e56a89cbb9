import type { Kysely } from 'kysely'
import type { Database } from './schema.ts'

/** What the relay's snapshots are built from: whole tables, or one row after a change of it. */

export type UserSnapshotRow = Awaited<ReturnType<typeof readUsers>>[number]
export type TokenSnapshotRow = Awaited<ReturnType<typeof readTokens>>[number]
export type ChannelSnapshotRow = Awaited<ReturnType<typeof readChannels>>[number]

/** With the one thing of their account that is decided ahead of the ledger: whether it has ever paid. */
function users(db: Kysely<Database>) {
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

export function readUsers(db: Kysely<Database>) {
  return users(db).where('users.deleted_ms', 'is', null).execute()
}

/** A deleted user too, so that a snapshot learns of the deletion. */
export function readUser(db: Kysely<Database>, id: number) {
  return users(db).where('users.id', '=', id).executeTakeFirst()
}

export function readTokens(db: Kysely<Database>) {
  return db.selectFrom('tokens').select(tokenColumns).where('deleted_ms', 'is', null).execute()
}

/** `undefined` when it is gone or deleted. */
export function readToken(db: Kysely<Database>, id: number) {
  return db
    .selectFrom('tokens')
    .select(tokenColumns)
    .where('id', '=', id)
    .where('deleted_ms', 'is', null)
    .executeTakeFirst()
}

export function readTokensOf(db: Kysely<Database>, ownerId: number) {
  return db
    .selectFrom('tokens')
    .select(tokenColumns)
    .where('user_id', '=', ownerId)
    .where('deleted_ms', 'is', null)
    .execute()
}

export function readChannels(db: Kysely<Database>) {
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
