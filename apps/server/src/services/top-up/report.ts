import type { LogEventOf } from '@tollgate/contract/log-event/event'
import type { topUpRoutes } from '@tollgate/contract/top-up'
import { type TopUpRow, findTopUp, markPaid } from '@tollgate/store/trade/top-ups'
import { type Credit, creditWork, giveNow } from '../credit/credit.ts'
import type { Handler } from '../handler.ts'
import { wireQuota } from '../wire-quota.ts'
import type { PaymentGateway, PaymentCallback, ReportFields } from './gateways/gateway.ts'
import { isSameMoney } from './price.ts'
import type { TopUpServices } from './services.ts'

/**
 * Handles a payment callback. The response is `success` only once the order is paid and its credit is queued
 * durably, now or earlier; the gateway then stops resending. Otherwise it is `fail`.
 */
export function handlePaymentCallback(
  services: TopUpServices,
  gateway: PaymentGateway,
): Handler<typeof topUpRoutes.notify> {
  return ({ query, address }) => settle(services, { gateway, fields: query, address })
}

export function handlePaymentCallbackByForm(
  services: TopUpServices,
  gateway: PaymentGateway,
): Handler<typeof topUpRoutes.notifyByForm> {
  return ({ body, address }) => settle(services, { gateway, fields: body, address })
}

interface CallbackInput {
  readonly gateway: PaymentGateway
  readonly fields: ReportFields
  readonly address: string
}

async function settle(
  services: TopUpServices,
  { gateway, fields, address }: CallbackInput,
): Promise<'success' | 'fail'> {
  const report = gateway.readReport(services.options, fields)
  if (!report?.isPaid) return 'fail'
  const order = await findTopUp(services.store, report.tradeNo)
  if (order?.gateway !== gateway.id || !isAboutOrder(report, order)) return 'fail'
  if (order.status === 'success') return isRepeated(report, order) ? 'success' : 'fail'
  return (await pay(services, { order, report, address })) ? 'success' : 'fail'
}

/** A callback with another amount or payment method is not about this order, even with a valid signature. */
function isAboutOrder(report: PaymentCallback, order: TopUpRow): boolean {
  const isSameMethod = order.method === '' || report.method === order.method
  return isSameMethod && isSameMoney(report.money, order.money)
}

/** An order imported from another gateway has no payment number to compare. */
function isRepeated({ providerTradeNo }: PaymentCallback, order: TopUpRow): boolean {
  return order.provider_trade_no === null || providerTradeNo === order.provider_trade_no
}

interface Paid {
  readonly address: string
  readonly order: TopUpRow
  readonly report: PaymentCallback
}

/**
 * Marks the order paid and queues its credit in one transaction. Of two simultaneous callbacks, the later one
 * finds the order already paid.
 */
async function pay(services: TopUpServices, paid: Paid): Promise<boolean> {
  const { store, options, outbox, clock } = services
  const { order, report } = paid
  const work = creditWork(options, creditOf(paid))
  const payment = {
    id: order.id,
    providerTradeNo: report.providerTradeNo,
    nowSeconds: Math.floor(clock.nowMs() / 1000),
  }
  const outcome = await store
    .transaction()
    .execute(async (transaction) => {
      const isFirst = await markPaid(transaction, payment)
      if (isFirst !== true) throw new NotFirst()
      await outbox.add(work, transaction)
      return 'paid' as const
    })
    .catch((error: unknown) => {
      if (error instanceof NotFirst) return 'not first' as const
      throw error
    })
  if (outcome === 'paid') {
    await giveNow(services, work)
    return true
  }
  const now = await findTopUp(store, order.trade_no)
  return now?.status === 'success' && isRepeated(report, now)
}

/**
 * Thrown to roll back the transaction: another callback was faster, or the payment number belongs to another
 * order.
 */
class NotFirst extends Error {
  override readonly name = 'NotFirst'
}

function creditOf({ order, address }: Paid): Omit<Credit, 'rebatePercent'> {
  return {
    key: `topup:${order.id}`,
    userId: order.user_id,
    units: String(order.quota),
    note: 'top-up',
    other: {
      event: 'top_up',
      quota: wireQuota(order.quota),
      money: order.money,
      trade_no: order.trade_no,
    } satisfies LogEventOf<'top_up'> & { readonly trade_no: string },
    address,
  }
}
