import { type Insertable, type Selectable, sql } from 'kysely'
import type { Condition, Where } from '../database/condition.ts'
import { insertedId } from '../database/inserted-id.ts'
import type { Page } from '../database/page.ts'
import type { Flag } from '../tables/flag.ts'
import type { Db } from '../tables/schema.ts'
import type { TokenTable } from '../tables/accounts.ts'
import { containsPattern, literalPattern } from '../database/traits.ts'
import { countFound } from '../database/count-found.ts'
import { callsInFlight, orMissing, shownRemaining, shownReserved } from '../trade/shown-balance.ts'

/**
 * A token with its balance and use. Every query names the owner, so that another owner's token looks like a
 * missing one.
 */
export type TokenRow = NonNullable<Awaited<ReturnType<typeof findToken>>>

export interface TokenFilter {
  readonly ownerId: number
  readonly name?: string | undefined
  /** Key of a token that is found in addition to the ones found by `name`. */
  readonly keyOrName?: { readonly hash: string; readonly preview: string } | undefined
  /** Hash of the whole key. */
  readonly keyHash?: string | undefined
  /** Visible parts of the key: a token matches when its preview begins with `start` or ends with `end`. */
  readonly keyEdges?: { readonly start: string; readonly end: string } | undefined
}

/**
 * Returns the token with this key and its owner. Only for administrators: every other query requires the
 * owner.
 */
export function findKeyOwner(db: Db, hashes: readonly string[]) {
  return db
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .select(['users.id as user_id', 'users.username', 'tokens.id as token_id', 'tokens.name as token_name'])
    .where('tokens.key_hash', 'in', [...hashes])
    .where('tokens.deleted_ms', 'is', null)
    .executeTakeFirst()
}

export function listTokens(db: Db, filter: TokenFilter, page: Page) {
  return selectTokens(db)
    .where((where) => matches(where, filter))
    .orderBy('tokens.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
}

export function countTokens(db: Db, filter: TokenFilter): Promise<number> {
  return countFound(db.selectFrom('tokens').where((where) => matches(where, filter)))
}

export function findToken(db: Db, input: { id: number; ownerId: number }) {
  return selectTokens(db)
    .where('tokens.id', '=', input.id)
    .where('tokens.user_id', '=', input.ownerId)
    .where('tokens.deleted_ms', 'is', null)
    .executeTakeFirst()
}

/** The encrypted key and its hash; the hash is part of the encryption context. */
export function findEncryptedTokenKey(db: Db, input: { id: number; ownerId: number }) {
  return db
    .selectFrom('tokens')
    .select(['id', 'key_hash', 'key_sealed'])
    .where('id', '=', input.id)
    .where('user_id', '=', input.ownerId)
    .where('deleted_ms', 'is', null)
    .executeTakeFirst()
}

/** The encrypted keys of several tokens. Tokens that the owner does not have are left out. */
export async function listEncryptedTokenKeys(
  db: Db,
  { ids, ownerId }: { ids: readonly number[]; ownerId: number },
) {
  if (ids.length === 0) return []
  return db
    .selectFrom('tokens')
    .select(['id', 'key_hash', 'key_sealed'])
    .where('id', 'in', [...ids])
    .where('user_id', '=', ownerId)
    .where('deleted_ms', 'is', null)
    .execute()
}

export type NewToken = Omit<Insertable<TokenTable>, 'id' | 'deleted_ms' | 'accessed_time'>

export function insertToken(db: Db, token: NewToken): Promise<number> {
  const insert = db.insertInto('tokens').values({ ...token, accessed_time: 0, deleted_ms: null })
  return insertedId(db, { insert, returning: insert.returning('id') })
}

export type TokenChange = Partial<
  Pick<
    Selectable<TokenTable>,
    | 'name'
    | 'status'
    | 'expired_time'
    | 'unlimited_quota'
    | 'model_limits_enabled'
    | 'model_limits'
    | 'allow_ips'
    | 'group_name'
    | 'group_order'
    | 'cross_group_retry'
    | 'rpm_limit'
    | 'tpm_limit'
    | 'max_parallel_requests'
    | 'budget_quota'
    | 'budget_period'
  >
>

/** Returns false when the owner has no such token. */
export async function updateToken(
  db: Db,
  input: { id: number; ownerId: number; change: TokenChange },
): Promise<boolean> {
  if (Object.keys(input.change).length === 0) return true
  const result = await db
    .updateTable('tokens')
    .set({ ...input.change, ...followed(input.change) })
    .where('id', '=', input.id)
    .where('user_id', '=', input.ownerId)
    .where('deleted_ms', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/**
 * Takes `unlimited_quota` from the token's account, if it has one. After two concurrent changes, the row then
 * agrees with the account.
 */
function followed({ unlimited_quota: asked }: TokenChange) {
  if (asked === undefined) return {}
  const reported = sql<Flag>`(select account.unlimited from account where account.id = tokens.id * 4 + 1)`
  return { unlimited_quota: sql<Flag>`coalesce(${reported}, ${asked})` }
}

/** Keeps the row for the log, without the encrypted key. Returns false when the owner has no such token. */
export async function removeToken(
  db: Db,
  input: { id: number; ownerId: number; nowMs: number },
): Promise<boolean> {
  const result = await db
    .updateTable('tokens')
    .set({ deleted_ms: input.nowMs, key_sealed: '' })
    .where('id', '=', input.id)
    .where('user_id', '=', input.ownerId)
    .where('deleted_ms', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** The account of a token has the id `token id × 4 + 1`. A token that never had quota has no account yet. */
function selectTokens(db: Db) {
  return db
    .selectFrom('tokens')
    .leftJoin('account', (join) => join.on('account.id', '=', sql<number>`tokens.id * 4 + 1`))
    .leftJoin('totals', (join) => join.on('totals.subject', '=', sql<string>`concat('token:', tokens.id)`))
    .select([
      'tokens.id',
      'tokens.user_id',
      'tokens.name',
      'tokens.key_preview',
      'tokens.status',
      'tokens.created_time',
      'tokens.accessed_time',
      'tokens.expired_time',
      sql<Flag>`coalesce(account.unlimited, tokens.unlimited_quota)`.as('unlimited_quota'),
      'tokens.model_limits_enabled',
      'tokens.model_limits',
      'tokens.allow_ips',
      'tokens.group_name',
      'tokens.group_order',
      'tokens.cross_group_retry',
      'tokens.rpm_limit',
      'tokens.tpm_limit',
      'tokens.max_parallel_requests',
      'tokens.budget_quota',
      'tokens.budget_period',
      'account.used',
      'account.debt',
      'account.budget_since_ms',
      'account.budget_base',
      'totals.last_ms',
    ])
    .select([orMissing(shownRemaining), orMissing(shownReserved), orMissing(callsInFlight)])
}

function matches(where: Where<'tokens'>, filter: TokenFilter): Condition {
  const all: Condition[] = [
    where('tokens.user_id', '=', filter.ownerId),
    where('tokens.deleted_ms', 'is', null),
  ]
  if (filter.name !== undefined) all.push(where.or([nameContains(filter.name), ...hasKey(where, filter)]))
  if (filter.keyHash !== undefined) all.push(where('tokens.key_hash', '=', filter.keyHash))
  if (filter.keyEdges)
    all.push(where.or([previewBegins(filter.keyEdges.start), previewEnds(filter.keyEdges.end)]))
  return where.and(all)
}

function nameContains(text: string): Condition {
  return sql<boolean>`lower(tokens.name) like lower(${containsPattern(text)}) escape '!'`
}

function hasKey(where: Where<'tokens'>, { keyOrName: key }: TokenFilter): Condition[] {
  if (key === undefined) return []
  return [where('tokens.key_hash', '=', key.hash), where('tokens.key_preview', '=', key.preview)]
}

/** Keys are case-sensitive. */
function previewBegins(text: string): Condition {
  return sql<boolean>`tokens.key_preview like ${`${literalPattern(text)}%`} escape '!'`
}

function previewEnds(text: string): Condition {
  return sql<boolean>`tokens.key_preview like ${`%${literalPattern(text)}`} escape '!'`
}
