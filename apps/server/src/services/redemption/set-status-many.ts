import type { redemptionRoutes } from '@tollgate/contract/redemption'
import { problem } from '@tollgate/problems/problem'
import { setRedemptionStatus } from '@tollgate/store/trade/redemptions'
import type { Handler } from '../handler.ts'
import type { RedemptionServices } from './services.ts'

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
