import { ENDED_CODES, type redemptionRoutes } from '@tollgate/contract/redemption'
import { REDEMPTION_STATUS } from '@tollgate/kit/codes'
import { sha256Hex } from '@tollgate/kit/ids'
import { problem } from '@tollgate/problems/problem'
import {
  type RedemptionFilter,
  type RedemptionRow,
  countRedemptions,
  countRedemptionsByName,
  findRedemption,
  listRedemptions,
} from '@tollgate/store/trade/redemptions'
import { Answer, type Handler } from '../handler.ts'
import type { RedemptionServices } from './services.ts'
import { toWireRedemption } from './wire.ts'
import { type PageQuery, readPage } from '../page.ts'

export function listCodes(services: RedemptionServices): Handler<typeof redemptionRoutes.list> {
  return ({ query }) => answerPage(services, readState(services, query.status), query)
}

export function searchCodes(services: RedemptionServices): Handler<typeof redemptionRoutes.search> {
  return ({ query }) => {
    const { keyword: term, status } = query
    const keyHash = term === undefined ? undefined : sha256Hex(term)
    return answerPage(services, { term, keyHash, ...readState(services, status) }, query)
  }
}

/** As in new-api, an unused code whose end has passed is not among the unused ones. */
function readState(
  { clock }: Pick<RedemptionServices, 'clock'>,
  status: number | typeof ENDED_CODES | undefined,
): RedemptionFilter {
  const nowSeconds = Math.floor(clock.nowMs() / 1000)
  const { unused } = REDEMPTION_STATUS
  if (status === ENDED_CODES) return { status: unused, end: { isPast: true, nowSeconds } }
  return status === unused ? { status, end: { isPast: false, nowSeconds } } : { status }
}

export function getCode(services: RedemptionServices): Handler<typeof redemptionRoutes.get> {
  return async ({ params }) => toWireRedemption(await knownCode(services, params.id), services.cipher)
}

export function countCodesByName({
  store,
}: RedemptionServices): Handler<typeof redemptionRoutes.countByName> {
  return async ({ query }) => {
    const name = query.name.trim()
    if (name === '') throw problem('redemption_name_missing')
    const [all, removable] = await Promise.all([
      countRedemptionsByName(store, { name, isRemovable: false }),
      countRedemptionsByName(store, { name, isRemovable: true }),
    ])
    return new Answer({ data: all, extra: { removable } })
  }
}

export async function knownCode(
  { store }: Pick<RedemptionServices, 'store'>,
  id: number,
): Promise<RedemptionRow> {
  const row = await findRedemption(store, id)
  if (!row) throw problem('not_found')
  return row
}

function answerPage({ store, cipher }: RedemptionServices, filter: RedemptionFilter, query: PageQuery) {
  return readPage(query, {
    list: (page) => listRedemptions(store, filter, page),
    count: () => countRedemptions(store, filter),
    show: (rows) => rows.map((row) => toWireRedemption(row, cipher)),
  })
}
