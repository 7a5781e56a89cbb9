import { type ExpressionBuilder, type Insertable, sql } from 'kysely'
import type { Condition } from '../database/condition.ts'
import type { Page } from '../database/page.ts'
import type { AuditLogTable } from '../tables/logs.ts'
import type { Database, Db } from '../tables/schema.ts'
import type { UserTable } from '../tables/accounts.ts'
import { containsPattern } from '../database/traits.ts'
import { countUpTo } from '../database/count-found.ts'

/**
 * Record of who changed what. Rows are only added, never changed, except for counters (`counted-audit.ts`).
 */

export type NewAudit = Omit<Insertable<AuditLogTable>, 'id'>
export type AuditLogRow = Awaited<ReturnType<typeof listAudit>>[number]

export async function insertAudit(db: Db, row: NewAudit): Promise<void> {
  await db.insertInto('audit_log').values(row).execute()
}

export interface AuditFilter {
  /**
   * Part of the actor's name, the entity, its id, the address, or the JSON before or after the change, in any
   * case.
   */
  readonly keyword?: string | undefined
  readonly actorId?: number | undefined
  readonly action?: string | undefined
  readonly entity?: string | undefined
  readonly entityId?: string | undefined
  readonly exceptEntities?: readonly string[]
  /** Inclusive. */
  readonly fromMs?: number | undefined
  readonly untilMs?: number | undefined
  readonly beforeId?: number | undefined
}

/** Newest first, with the current names of users. */
export function listAudit(db: Db, filter: AuditFilter, page: Page) {
  return selectAudit(db)
    .selectAll('audit_log')
    .select('users.username as actor_name')
    .where((where) => matches(where, filter))
    .orderBy('audit_log.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
}

/** Counting stops at `atMost`. */
export function countAudit(db: Db, filter: AuditFilter, atMost: number): Promise<number> {
  const matching = selectAudit(db)
    .select('audit_log.id')
    .where((where) => matches(where, filter))
  return countUpTo(db, matching, atMost)
}

function selectAudit(db: Db) {
  return db.selectFrom('audit_log').leftJoin('users', 'users.id', 'audit_log.actor_id')
}

type Tables = Database & { users: { [Column in keyof UserTable]: UserTable[Column] | null } }

function matches(where: ExpressionBuilder<Tables, 'audit_log' | 'users'>, filter: AuditFilter): Condition {
  const all: Condition[] = []
  if (filter.keyword !== undefined) all.push(mentions(where, filter.keyword))
  if (filter.actorId !== undefined) all.push(where('audit_log.actor_id', '=', filter.actorId))
  if (filter.action !== undefined) all.push(where('audit_log.action', '=', filter.action))
  if (filter.entity !== undefined) all.push(where('audit_log.entity', '=', filter.entity))
  if (filter.entityId !== undefined) all.push(where('audit_log.entity_id', '=', filter.entityId))
  if (filter.exceptEntities?.length) all.push(where('audit_log.entity', 'not in', [...filter.exceptEntities]))
  if (filter.fromMs !== undefined) all.push(where('audit_log.created_ms', '>=', filter.fromMs))
  if (filter.untilMs !== undefined) all.push(where('audit_log.created_ms', '<=', filter.untilMs))
  if (filter.beforeId !== undefined) all.push(where('audit_log.id', '<', filter.beforeId))
  return where.and(all)
}

const SEARCHED = [
  'users.username',
  'audit_log.entity',
  'audit_log.entity_id',
  'audit_log.address',
  'audit_log.before_json',
  'audit_log.after_json',
] as const

function mentions(where: ExpressionBuilder<Tables, 'audit_log' | 'users'>, keyword: string): Condition {
  const pattern = containsPattern(keyword)
  return where.or(
    SEARCHED.map((column) => sql<boolean>`lower(${sql.ref(column)}) like lower(${pattern}) escape '!'`),
  )
}
