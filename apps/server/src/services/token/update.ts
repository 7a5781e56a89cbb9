import type { tokenRoutes } from '@tollgate/contract/token'
import { TOKEN_STATUS } from '@tollgate/kit/codes'
import { problem } from '@tollgate/problems/problem'
import { type TokenChange, type TokenRow, updateToken } from '@tollgate/store/accounts/tokens'
import type { Call, Handler } from '../handler.ts'
import { readFields, readStatus } from './fields.ts'
import { requireUsableGroup } from './groups.ts'
import { ownToken, showToken } from './get.ts'
import { changeQuota, quotaChange } from './quota.ts'
import { readRefusedToday } from './refused-today.ts'
import type { TokenServices } from './services.ts'
import { keysForCaller } from './visible-keys.ts'
import { availableQuota, isExhausted, isExpired, toWireToken } from './wire.ts'

type Update = typeof tokenRoutes.update

/** Updates the fields that were sent, or with `status_only` the status alone. */
export function updateOwnToken(services: TokenServices): Handler<Update> {
  const { store, clock } = services
  return async (call) => {
    const { actor, body, query } = call
    const which = { id: body.id, ownerId: actor.id }
    const row = await ownToken(store, which)
    const keyOf = await keysForCaller(services, call, [row])
    const change = query.status_only
      ? { status: enabledOrNot(services, row, body.status) }
      : await changeFields(services, row, call)
    await services.change(call, {
      action: 'update',
      entity: 'token',
      work: async (transaction) => {
        if (!(await updateToken(transaction, { ...which, change }))) throw problem('not_found')
        await revive({ ...services, store: transaction }, which)
      },
      row: {
        entityId: row.id,
        before: toWireToken(row, clock),
        after: body,
        notice: ['tokens', row.id],
      },
    })
    const changed = await ownToken(store, which)
    if (!query.status_only && isExhausted(changed)) await services.notices.publish('emptiedTokens', row.id)
    const refusals = await readRefusedToday(services, [row.id])
    return showToken(services, actor, { row: changed, key: keyOf(row), refused: refusals.get(row.id) })
  }
}

/**
 * A token that expired or was exhausted works again as soon as the reason is gone; its stored state does not
 * need to be reset by hand.
 */
async function revive(
  { store, clock }: TokenServices,
  which: { id: number; ownerId: number },
): Promise<void> {
  const row = await ownToken(store, which)
  const stopped = row.status === TOKEN_STATUS.expired || row.status === TOKEN_STATUS.exhausted
  if (!stopped || isExpired(row, clock) || isExhausted(row)) return
  await updateToken(store, { ...which, change: { status: TOKEN_STATUS.enabled } })
}

export function enabledOrNot({ clock }: TokenServices, row: TokenRow, asked: number | undefined): number {
  const status = readStatus(asked)
  if (status === TOKEN_STATUS.enabled && isExpired(row, clock)) throw problem('token_enable_expired')
  if (status === TOKEN_STATUS.enabled && isExhausted(row)) throw problem('token_enable_exhausted')
  return status
}

function isAsStored(row: Readonly<Record<string, unknown>>, change: TokenChange): boolean {
  return Object.entries(change).every(([column, value]) => row[column] === value)
}

/** The ledger is changed before the row is written, so that a refused quota leaves the token unchanged. */
async function changeFields(
  { snapshots, ledger, clock, shownQuotas }: TokenServices,
  row: TokenRow,
  { actor, body }: Call<Update>,
): Promise<TokenChange> {
  const rules = {
    snapshots,
    ownGroup: actor.group,
    stored: {
      group: row.group_name,
      groupOrder: row.group_order,
      isLimited: row.model_limits_enabled === 1,
      models: row.model_limits,
      expiry: row.expired_time,
      budget_quota: row.budget_quota,
      budget_period: row.budget_period,
    },
    nowSeconds: Math.floor(clock.nowMs() / 1000),
  }
  const change = readFields(body, rules)
  const ask = {
    remainQuota: body.remain_quota,
    isUnlimited: body.unlimited_quota,
    expectedQuota: body.expected_remain_quota,
    shownQuota: await shownQuotas.recall({ actor, entity: 'token', id: row.id }),
  }
  const now = { available: availableQuota(row), isUnlimited: row.unlimited_quota === 1 }
  const quota = quotaChange(ask, now)
  if (body.group !== undefined && quota === undefined && isAsStored(row, change)) requireUsableGroup(rules)
  if (quota) await changeQuota(ledger, { tokenId: row.id, change: quota, note: 'edited by its owner' })
  return change
}
