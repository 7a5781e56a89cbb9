import { QUOTA_CHANGE_MAX, type adminUserRoutes } from '@tollgate/contract/admin-user'
import { LOG_TYPE } from '@tollgate/kit/codes'
import { randomToken } from '@tollgate/kit/ids'
import { problem } from '@tollgate/problems/problem'
import { accountId } from '@tollgate/ledger/account'
import { findManagedUser } from '@tollgate/store/accounts/managed-users'
import type { Handler } from '../handler.ts'
import { writeLog } from '../log/write.ts'
import { wireQuota } from '../wire-quota.ts'
import { requireManage } from './can-manage.ts'
import type { AdminUserServices } from './services.ts'
import { managed } from './wire.ts'

export function changeQuota(services: AdminUserServices): Handler<typeof adminUserRoutes.changeQuota> {
  return async ({ params, body, actor, address }) => {
    const row = await findManagedUser(services.store, params.id)
    if (!row) throw problem('user_unknown')
    requireManage(actor, managed(row), 'quota')
    const { before, after } = await adjustBalance(services, {
      actorId: actor.id,
      userId: params.id,
      address,
      delta: body.delta,
      expected: body.expected_quota,
      note: body.note,
      operationKey: body.operation_key,
    })
    return { before: wireQuota(before), after: wireQuota(after) }
  }
}

export interface BalanceChange {
  readonly actorId: number
  readonly userId: number
  readonly address: string
  readonly delta: number
  /** The balance that the form had loaded; `undefined`: do not check the balance. */
  readonly expected?: number | undefined
  readonly note?: string
  readonly operationKey?: string | undefined
}

/**
 * Writes one ledger entry, one row in the user's log with the balance before and after, and one row in the
 * audit trail. A repeated key writes nothing more.
 *
 * The audit row cannot share a transaction with the balance, because only the ledger's writer changes
 * balances. The ledger entry is committed together with the balance and names the administrator in its note,
 * so that a change is never without an author.
 */
export async function adjustBalance(
  services: AdminUserServices,
  change: BalanceChange,
): Promise<{ before: bigint; after: bigint }> {
  const { ledger, audit, notices } = services
  const { actorId, userId, delta, expected, address, note = '' } = change
  if (Math.abs(delta) > QUOTA_CHANGE_MAX) throw problem('user_quota_out_of_range', { max: QUOTA_CHANGE_MAX })
  const key = `user:${userId}:${change.operationKey ?? randomToken(16)}`
  const result = await ledger.adjust({
    key,
    account: accountId('user', userId),
    delta: BigInt(delta),
    expected: expected === undefined ? undefined : BigInt(expected),
    note: note === '' ? `by user ${actorId}` : `by user ${actorId}: ${note}`,
  })
  if (result.type === 'changed')
    throw problem('user_quota_moved', { actual: wireQuota(result.actual), expected: expected ?? 0 })
  if (result.type !== 'adjusted') throw problem('operation_key_used')
  const { before, after } = result
  // A user who receives quota from an operator counts as a paying user.
  if (delta > 0) await notices.publish('users', userId)
  if (result.repeated) return { before, after }
  await writeLog(services, {
    key: `adjust:${key}`,
    userId,
    type: LOG_TYPE.management,
    event: { event: 'quota_changed', before: wireQuota(before), after: wireQuota(after) },
    more: { by: actorId, note },
  })
  const by = { actor: { id: actorId }, address }
  const row = { entityId: userId, before: { quota: before }, after: { quota: after, note } }
  await audit(by, { action: 'quota', entity: 'user', ...row })
  return { before, after }
}
