import type { redemptionRoutes } from '@tollgate/contract/redemption'
import { REDEMPTION_STATUS } from '@tollgate/kit/codes'
import { problem } from '@tollgate/problems/problem'
import {
  type RedemptionChange,
  type RedemptionRow,
  disableRedemptions,
  setRedemptionStatus,
  updateRedemption,
} from '@tollgate/store/trade/redemptions'
import type { Call, Handler } from '../handler.ts'
import { checkDates, readCodeEnd, readName, readQuota } from './fields.ts'
import { knownCode } from './list.ts'
import type { RedemptionServices } from './services.ts'
import { shownRedemption, toWireRedemption } from './wire.ts'

type Update = typeof redemptionRoutes.update

/**
 * Updates the fields that were sent, or with `status_only` the status alone. A redeemed code cannot be
 * changed.
 */
export function updateCode(services: RedemptionServices): Handler<Update> {
  return async (call) => {
    const { body, query } = call
    const row = await knownCode(services, body.id)
    if (row.status === REDEMPTION_STATUS.used) throw problem('redemption_used_stays')
    if (!query.status_only && row.status !== REDEMPTION_STATUS.unused) throw problem('redemption_only_unused')
    if (body.version !== undefined && body.version !== row.version) throw problem('redemption_changed')
    const change = query.status_only
      ? { status: readStatus(body.status) }
      : readChange(row, body, Math.floor(services.clock.nowMs() / 1000))
    const { id, version } = row
    await services.change(call, {
      action: 'update',
      entity: 'redemption',
      work: async (transaction) => {
        if (!(await updateRedemption(transaction, { id, version, change })))
          throw problem('redemption_changed')
      },
      row: { entityId: id, before: shownRedemption(row), after: { ...shownRedemption(row), ...change } },
    })
    return toWireRedemption(await knownCode(services, id), services.cipher)
  }
}

export function disableCodes({ change }: RedemptionServices): Handler<typeof redemptionRoutes.disableMany> {
  return (call) => {
    const { ids } = call.body
    return change(call, {
      action: 'disable',
      entity: 'redemption',
      work: (transaction) => disableRedemptions(transaction, ids),
      row: (disabled) => ({ entityId: 'several', after: { ids, disabled } }),
    })
  }
}

function readChange(row: RedemptionRow, body: Call<Update>['body'], nowSeconds: number): RedemptionChange {
  const { valid_from: from = row.valid_from } = body
  const until = readCodeEnd(body, row.valid_until) ?? row.valid_until
  checkDates({ from, until }, { from: row.valid_from, until: row.valid_until }, nowSeconds)
  return {
    ...(body.name !== undefined && { name: readName(body.name) }),
    ...(body.quota !== undefined && { quota: readQuota(body.quota) }),
    valid_from: from,
    valid_until: until,
  }
}

/** The two states that an operator may set; the third results from redeeming. */
function readStatus(status: number | undefined): number {
  if (status === REDEMPTION_STATUS.unused || status === REDEMPTION_STATUS.disabled) return status
  throw problem('redemption_status_unknown')
}

/** Codes that are used or deleted are reported; the others change together. */
export function setStatusOfCodes({
  change,
}: RedemptionServices): Handler<typeof redemptionRoutes.setStatusMany> {
  return (call) => {
    const { status } = call.body
    const ids = [...new Set(call.body.ids)]
    return change(call, {
      action: 'update',
      entity: 'redemption',
      work: async (transaction) => {
        const rows = new Map(
          (await setRedemptionStatus(transaction, { ids, status })).map((row) => [row.id, row]),
        )
        const left = ids.filter((id) => rows.get(id)?.status !== status)
        const refused = left.map((id) => {
          const row = rows.get(id)
          const reason = problem(row === undefined ? 'not_found' : 'redemption_used_stays')
          return { id, name: row?.name ?? '', reason: reason.textIn(call.language) }
        })
        return { changed: ids.length - left.length, refused }
      },
      row: ({ changed }) => ({ entityId: 'several', after: { ids, status, changed } }),
    })
  }
}
