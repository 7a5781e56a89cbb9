import type { topUpRoutes } from '@tollgate/contract/top-up'
import { problem } from '@tollgate/problems/problem'
import { listTopUps } from '@tollgate/store/trade/top-ups'
import type { Handler } from '../handler.ts'
import type { PaymentGateway } from './gateways/gateway.ts'
import { addressesOf } from './order.ts'
import type { TopUpServices } from './services.ts'

/**
 * Continues the payment of a pending order. It remains the same order, so it is credited once however often
 * this is called.
 */
export function payOrder(
  services: TopUpServices,
  gateway: PaymentGateway,
): Handler<typeof topUpRoutes.payOrder> {
  const { store, options } = services
  return async ({ params, actor }) => {
    const filter = { userId: actor.id, tradeNo: params.trade_no }
    const [order] = await listTopUps(store, filter, { offset: 0, limit: 1 })
    if (order === undefined) throw problem('not_found')
    if (order.status !== 'pending') throw problem('top_up_not_waiting')
    if (order.gateway !== gateway.id || !gateway.isOpen(options)) throw problem('top_up_not_configured')
    const unit = options.get('DisplayInCurrencyEnabled') ? BigInt(options.get('QuotaPerUnit')) : 1n
    const { url, fields } = gateway.checkout(options, {
      tradeNo: order.trade_no,
      method: order.method,
      money: order.money,
      title: `TUC${order.quota / unit}`,
      ...addressesOf(services),
    })
    return { url, fields: { ...fields } }
  }
}
