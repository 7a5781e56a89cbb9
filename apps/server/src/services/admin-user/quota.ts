import { QUOTA_CHANGE_MAX, type adminUserRoutes } from '@tollgate/contract/admin-user'
import { randomToken } from '@tollgate/kit/ids'
import { problem } from '@tollgate/problems/problem'
import { accountId } from '@tollgate/ledger/account'
import { findManagedUser } from '@tollgate/store/accounts/managed-users'
import type { Handler } from '../handler.ts'
import { wireQuota } from '../wire-quota.ts'
import { requireManage } from './can-manage.ts'
import { quotaRecord, recordQuotaChange } from './quota-record.ts'
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
 * Writes one ledger entry and {@link recordQuotaChange records} it. A repeated key writes nothing more.
 *
 * Only the ledger's writer changes balances, so its transaction queues the record in the outbox. The record is
 * written before the answer; if that fails, the outbox worker writes it.
 */
export async function adjustBalance(
  services: AdminUserServices,
  change: BalanceChange,
): Promise<{ before: bigint; after: bigint }> {
  const { ledger, outbox } = services
  const { actorId, userId, delta, expected, address, note = '' } = change
  if (Math.abs(delta) > QUOTA_CHANGE_MAX) throw problem('user_quota_out_of_range', { max: QUOTA_CHANGE_MAX })
  const key = `user:${userId}:${change.operationKey ?? randomToken(16)}`
  const record = quotaRecord({ key, userId, actorId, address, note })
  const result = await ledger.adjust({
    key,
    account: accountId('user', userId),
    delta: BigInt(delta),
    expected: expected === undefined ? undefined : BigInt(expected),
    note: note === '' ? `by user ${actorId}` : `by user ${actorId}: ${note}`,
    notice: outbox.sealed(record),
  })
  if (result.type === 'changed')
    throw problem('user_quota_moved', { actual: wireQuota(result.actual), expected: expected ?? 0 })
  if (result.type !== 'adjusted') throw problem('operation_key_used')
  if (!result.repeated) await recordQuotaChange(services, record).catch(() => undefined)
  outbox.wake()
  if (delta < 0 && result.after <= 0n) await services.notices.publish('emptiedUsers', userId)
  return { before: result.before, after: result.after }
}
