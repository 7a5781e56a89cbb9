import type { Order, topUpRoutes } from '@tollgate/contract/top-up'
import { type TopUpFilter, type TopUpRow, countTopUps, listTopUps } from '@tollgate/store/trade/top-ups'
import type { Handler } from '../handler.ts'
import { wireQuota } from '../wire-quota.ts'
import type { TopUpServices } from './services.ts'
import { type PageQuery, readPage } from '../page.ts'

export function listOwnOrders(services: TopUpServices): Handler<typeof topUpRoutes.listOwn> {
  return ({ query, actor }) => answerPage(services, { userId: actor.id }, query)
}

export function listOrders(services: TopUpServices): Handler<typeof topUpRoutes.list> {
  return ({ query }) => {
    const { keyword, status, user_id } = query
    return answerPage(services, { tradeNo: keyword, status, userId: user_id }, query)
  }
}

function answerPage(
  { store }: TopUpServices,
  filter: TopUpFilter,
  query: PageQuery & { readonly before_id: number | undefined },
) {
  return readPage(query, {
    list: (page) => listTopUps(store, { ...filter, beforeId: query.before_id }, page),
    count: () => countTopUps(store, filter),
    show: (rows) => rows.map(toWireOrder),
  })
}

function toWireOrder({ username, quota, provider_trade_no: _theirs, ...plain }: TopUpRow): Order {
  return { ...plain, username: username ?? '', quota: wireQuota(quota) }
}
