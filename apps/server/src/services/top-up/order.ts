import type { PaymentMethod, topUpRoutes } from '@tollgate/contract/top-up'
import { randomAlphanumeric } from '@tollgate/kit/ids'
import { problem } from '@tollgate/problems/problem'
import { countTopUps, insertTopUp, listTopUps } from '@tollgate/store/trade/top-ups'
import { findUser } from '@tollgate/store/accounts/users'
import { Answer, type Handler } from '../handler.ts'
import type { PaymentGateway } from './gateways/gateway.ts'
import { priceTopUp } from './price.ts'
import type { TopUpServices } from './services.ts'

/**
 * More pending orders than a person would create on purpose; unpaid orders close automatically after a day.
 */
const PENDING_MAX = 20

export function quoteTopUp(services: TopUpServices): Handler<typeof topUpRoutes.amount> {
  return async ({ body, actor }) => {
    const { amount } = body
    return priceTopUp(services.options, { amount, group: await groupOf(services, actor.id) }).money
  }
}

/** Creates an order. Price and quota are fixed at this moment. */
export function orderTopUp(
  services: TopUpServices,
  gateway: PaymentGateway,
): Handler<typeof topUpRoutes.pay> {
  const { store, options, clock } = services
  return async ({ body, actor }) => {
    const group = await groupOf(services, actor.id)
    const { quota, money } = priceTopUp(options, { amount: body.amount, group })
    if (!gateway.isOpen(options)) throw problem('top_up_not_configured')
    await refuseTooMany(services, actor.id)
    const nowSeconds = Math.floor(clock.nowMs() / 1000)
    const method = gateway.methodName(readMethod(body.payment_method))
    const order = {
      user_id: actor.id,
      trade_no: `USR${actor.id}NO${randomAlphanumeric(6)}${nowSeconds}`,
      gateway: gateway.id,
      method,
      quota,
      money,
      currency: '',
      create_time: nowSeconds,
    }
    await insertTopUp(store, order)
    const { url, fields } = gateway.checkout(options, {
      tradeNo: order.trade_no,
      method,
      money,
      title: `TUC${body.amount}`,
      ...addressesOf(services),
    })
    return new Answer({ data: { ...fields }, extra: { url } })
  }
}

/**
 * Same rule as in new-api: `zfb`, or `alipay` in newer versions, is Alipay; everything else is WeChat Pay.
 */
function readMethod(text: string): PaymentMethod {
  return text === 'zfb' || text === 'alipay' ? 'zfb' : 'wx'
}

async function groupOf({ store }: TopUpServices, userId: number): Promise<string> {
  const user = await findUser(store, userId)
  if (!user) throw problem('top_up_group_unknown')
  return user.group_name
}

async function refuseTooMany({ store }: TopUpServices, userId: number): Promise<void> {
  if ((await countTopUps(store, { userId, status: 'pending' })) >= PENDING_MAX)
    throw problem('top_up_too_many_pending', { max: PENDING_MAX })
}

/**
 * Returns the address for the gateway's payment callback and the page that the payer returns to, which is the
 * wallet with its orders.
 */
export function addressesOf({ options, ownAddress }: TopUpServices): {
  notifyUrl: string
  returnUrl: string
} {
  const site = options.get('ServerAddress') || ownAddress()
  const callback = options.get('CustomCallbackAddress') || site
  return { notifyUrl: `${callback}/api/user/epay/notify`, returnUrl: `${site}/topup` }
}

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
