import type { FamilySource, LossWeight, FirstRelease } from './column.ts'
import type { SourceRow } from '../source.ts'
import { flag, text } from '../cell.ts'
import { sources } from './sources.ts'

/** A table of the family that an import does not read row by row. */
export interface FamilyTable {
  readonly table: string
  readonly since: FirstRelease
  readonly source: FamilySource
  /** Rows that matter; without it, every row does. */
  readonly counts?: (row: SourceRow) => boolean
  /** The rows belong to people, whom the report counts. */
  readonly isOfPeople?: boolean
  readonly weight?: LossWeight
  /** What happens to the people concerned; tables without one are named in one line. */
  readonly consequence?: string
}

const isAlive = (row: SourceRow): boolean => text(row, 'deleted_at') === ''

/** Plans are read by their own step of the import, see `map-plan.ts`. */
export const familyTables: readonly FamilyTable[] = [
  {
    table: 'two_fas',
    since: '2025-10',
    source: sources.twoFactor,
    counts: (row) => flag(row, 'is_enabled') === 1 && isAlive(row),
    isOfPeople: true,
    weight: 'protects',
    consequence:
      'their second factor does not come along: their password alone signs them in until they set up a new one',
  },
  { table: 'two_fa_backup_codes', since: '2025-10', source: sources.twoFactor },
  {
    table: 'passkey_credentials',
    since: '2025-10',
    source: sources.main,
    counts: isAlive,
    isOfPeople: true,
    weight: 'protects',
    consequence:
      'their passkeys do not come along: they sign in with a password or a linked provider; who has neither needs a password from you',
  },
  {
    table: 'custom_oauth_providers',
    since: '2026-04',
    source: sources.main,
    weight: 'protects',
    consequence:
      'these sign-in providers do not exist here: the buttons are gone; OIDC can take the place of one',
  },
  {
    table: 'user_oauth_bindings',
    since: '2026-04',
    source: sources.main,
    isOfPeople: true,
    weight: 'protects',
    consequence:
      'they cannot sign in with a custom provider here: they use their password; who has none needs one from you',
  },
  { table: 'external_identity_claims', since: '2026-09', source: sources.main },
  {
    table: 'user_access_tokens',
    since: '2026-09',
    source: sources.options,
    isOfPeople: true,
    weight: 'protects',
    consequence: 'scripts that use these access tokens (nap_…) are refused: they need a new one',
  },
  {
    table: 'casbin_rule',
    since: '2026-09',
    source: sources.main,
    weight: 'protects',
    consequence:
      'the rights of single administrators are not kept: every administrator may do here what an administrator may do',
  },
  {
    table: 'authz_roles',
    since: '2026-09',
    source: sources.main,
    weight: 'protects',
    consequence: 'own roles are not kept: see the rights of administrators',
  },
  {
    table: 'checkins',
    since: '2026-04',
    source: sources.main,
    isOfPeople: true,
    weight: 'pays',
    consequence: 'who checked in today can do it once more here',
  },
  {
    table: 'invite_rebates',
    since: 'fork',
    source: sources.main,
    isOfPeople: true,
    weight: 'pays',
    consequence: 'paid rebates are part of the balances; rules of rebates have to be set here',
  },
  {
    table: 'subscription_plans',
    since: '2026-04',
    source: sources.plan,
    weight: 'pays',
    consequence: 'plans cannot be bought here',
  },
  {
    table: 'subscription_orders',
    since: '2026-04',
    source: sources.plan,
    counts: (row) => text(row, 'status') === 'pending',
    isOfPeople: true,
    weight: 'pays',
    consequence:
      'these orders of plans cannot be paid here: a payment that still arrives has to be settled by hand',
  },
  { table: 'subscription_pre_consume_records', since: '2026-04', source: sources.plan },
  { table: 'models', since: '2025-10', source: sources.main },
  { table: 'vendors', since: '2025-10', source: sources.main },
  { table: 'prefill_groups', since: '2025-10', source: sources.main },
  { table: 'perf_metrics', since: '2026-09', source: sources.main },
  { table: 'system_instances', since: '2026-09', source: sources.main },
  { table: 'system_tasks', since: '2026-09', source: sources.main },
  { table: 'system_task_locks', since: '2026-09', source: sources.main },
  { table: 'user_sessions', since: '2026-09', source: sources.main },
  { table: 'auth_flows', since: '2026-09', source: sources.main },
  { table: 'audit_logs', since: '2026-09', source: sources.options },
]

const byName = new Map(familyTables.map((one) => [one.table, one]))

export function findFamilyTable(table: string): FamilyTable | undefined {
  return byName.get(table)
}
