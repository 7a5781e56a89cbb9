import { topUpRoutes } from '@tollgate/contract/top-up'
import { type BoundRoute, bind } from '../handler.ts'
import { epay } from './gateways/epay.ts'
import { listOrders, listOwnOrders } from './list.ts'
import { orderTopUp, payOrder, quoteTopUp } from './order.ts'
import { handlePaymentCallback, handlePaymentCallbackByForm } from './report.ts'
import type { TopUpServices } from './services.ts'

export function topUpHandlers(services: TopUpServices): readonly BoundRoute[] {
  return [
    bind(topUpRoutes.amount, quoteTopUp(services)),
    bind(topUpRoutes.pay, orderTopUp(services, epay)),
    bind(topUpRoutes.payOrder, payOrder(services, epay)),
    bind(topUpRoutes.notify, handlePaymentCallback(services, epay)),
    bind(topUpRoutes.notifyByForm, handlePaymentCallbackByForm(services, epay)),
    bind(topUpRoutes.listOwn, listOwnOrders(services)),
    bind(topUpRoutes.list, listOrders(services)),
  ]
}
