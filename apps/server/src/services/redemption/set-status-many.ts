import type { redemptionRoutes } from '@tollgate/contract/redemption'
import { problem } from '@tollgate/kit/problem'
import { setRedemptionStatus } from '@tollgate/store/trade/redemptions'
import type { Handler } from '../handler.ts'
import type { RedemptionServices } from './services.ts'

/** Codes that are used or deleted are reported; the others change together. */
export function setStatusOfCodes({
  store,
  audit,
}: RedemptionServices): Handler<typeof redemptionRoutes.setStatusMany> {
  return ({ body: { status, ...body }, actor, address, language }) =>
    store.transaction().execute(async (transaction) => {
      const ids = [...new Set(body.ids)]
      const rows = new Map(
        (await setRedemptionStatus(transaction, { ids, status })).map((row) => [row.id, row]),
      )
      const left = ids.filter((id) => rows.get(id)?.status !== status)
      const refused = left.map((id) => {
        const row = rows.get(id)
        const reason = problem(row === undefined ? 'not_found' : 'redemption_used_stays')
        return { id, name: row?.name ?? '', reason: reason.textIn(language) }
      })
      const changed = ids.length - left.length
      const note = { actorId: actor.id, action: 'update', entity: 'redemption', entityId: 'several', address }
      await audit.write({ ...note, after: { ids, status, changed } }, transaction)
      return { changed, refused }
    })
}
