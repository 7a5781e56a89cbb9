import type { Order, topUpRoutes } from '@tollgate/contract/top-up'
import { type TopUpFilter, type TopUpRow, countTopUps, listTopUps } from '@tollgate/store/trade/top-ups'
import type { Handler } from '../handler.ts'
import { wireQuota } from '../wire-quota.ts'
import type { TopUpServices } from './services.ts'

export function listOwnOrders(services: TopUpServices): Handler<typeof topUpRoutes.listOwn> {
  return ({ query, actor }) => answerPage(services, { userId: actor.id }, query)
}

export function listOrders(services: TopUpServices): Handler<typeof topUpRoutes.list> {
  return ({ query }) => {
    const { keyword, status, user_id } = query
    return answerPage(services, { tradeNo: keyword, status, userId: user_id }, query)
  }
}

async function answerPage(
  { store }: TopUpServices,
  filter: TopUpFilter,
  { p, page_size, before_id }: { p: number; page_size: number; before_id?: number | undefined },
) {
  const page = Math.max(p, 1)
  const [rows, total] = await Promise.all([
    listTopUps(
      store,
      { ...filter, beforeId: before_id },
      { offset: (page - 1) * page_size, limit: page_size },
    ),
    countTopUps(store, filter),
  ])
  return { items: rows.map(toWireOrder), total, page, page_size }
}

function toWireOrder({ username, quota, provider_trade_no: _theirs, ...plain }: TopUpRow): Order {
  return { ...plain, username: username ?? '', quota: wireQuota(quota) }
}
