import { z } from 'zod'
import { quotaSchema, unixSecondsSchema } from './envelope.ts'
import { oneBasedPage, pageRows, pageSchema, queryFilterId, queryTerm } from './query.ts'
import {
  ANONYMOUS_BODY_BYTES_MAX,
  anonymousWriting,
  defineRoute,
  nothing,
  ownBodyless,
  ownReading,
  ownWriting,
  siteReading,
} from './route.ts'

/**
 * Buying quota: an order is created here, paid at a payment gateway, and credited when the gateway reports
 * the payment.
 */

/**
 * Maximum amount of one purchase: in whole currency units, or in quota units when currency display is off.
 */
export const TOP_UP_AMOUNT_MAX = 1_000_000_000_000
export const paymentMethods = ['zfb', 'wx'] as const
export type PaymentMethod = (typeof paymentMethods)[number]
export const orderStates = ['pending', 'success', 'failed', 'closed'] as const
export type OrderState = (typeof orderStates)[number]

/** Some consoles written for new-api send the number as text. */
const amount = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number),
  ])
  .pipe(z.int().min(0).max(TOP_UP_AMOUNT_MAX))

export const orderSchema = z.object({
  id: z.int(),
  user_id: z.int(),
  username: z.string(),
  trade_no: z.string(),
  gateway: z.string(),
  /** The payment gateway's name of the method: `alipay`, `wxpay`. */
  method: z.string(),
  quota: quotaSchema,
  /** Amount to pay: a decimal with two places. */
  money: z.string(),
  /** "" means the gateway's own currency. */
  currency: z.string(),
  status: z.enum(orderStates),
  create_time: unixSecondsSchema,
  /** 0 before the payment. */
  complete_time: unixSecondsSchema,
})
export type Order = z.output<typeof orderSchema>

const page = { p: oneBasedPage, page_size: pageRows(), before_id: queryFilterId() }
const orderPage = pageSchema(orderSchema)

const buying = {
  ...ownWriting,
  method: 'POST',
  bodyBytesMax: ANONYMOUS_BODY_BYTES_MAX,
  envelope: 'message',
} as const

/**
 * A payment callback is authenticated by its signature alone, so it needs no cookie and no headers of a
 * browser.
 */
const notice = {
  ...anonymousWriting,
  rate: 'callback',
  path: '/api/user/epay/notify',
  envelope: 'text',
  data: z.enum(['success', 'fail']),
} as const
const firstOfEach = z.record(
  z.string(),
  z
    .union([z.string(), z.array(z.string())])
    .transform((value) => (Array.isArray(value) ? (value[0] ?? '') : value)),
)

export const topUpRoutes = {
  amount: defineRoute({
    ...buying,
    path: '/api/user/amount',
    summary: 'The price of an amount of quota for the caller',
    body: z.object({ amount, top_up_code: z.string().max(256).optional() }),
    data: z.string(),
  }),
  pay: defineRoute({
    ...buying,
    path: '/api/user/pay',
    summary: 'Creates an order; returns the form to send to the payment gateway',
    body: z.object({
      amount,
      payment_method: z.string().max(32),
      top_up_code: z.string().max(256).optional(),
    }),
    data: z.record(z.string(), z.string()),
    extra: z.object({ url: z.string() }),
  }),
  payOrder: defineRoute({
    ...ownBodyless,
    method: 'POST',
    path: '/api/user/topup/:trade_no/pay',
    summary: 'The payment form of a pending order of the caller',
    params: z.object({ trade_no: z.string().max(64) }),
    data: z.object({ url: z.string(), fields: z.record(z.string(), z.string()) }),
  }),
  notify: defineRoute({
    ...notice,
    method: 'GET',
    changesState: false,
    summary: 'Receives a payment notification',
    query: firstOfEach,
    body: nothing,
  }),
  notifyByForm: defineRoute({
    ...notice,
    method: 'POST',
    acceptsForm: true,
    summary: 'Receives a payment notification as a form',
    body: firstOfEach,
  }),
  listOwn: defineRoute({
    ...ownReading,
    path: '/api/user/topup/self',
    summary: 'The caller’s orders, newest first',
    query: z.object(page),
    data: orderPage,
  }),
  list: defineRoute({
    ...siteReading,
    path: '/api/user/topup',
    summary: 'Orders of all users, newest first, by trade number, state or user',
    query: z.object({
      ...page,
      keyword: queryTerm(),
      status: z.enum(orderStates).optional().catch(undefined),
      user_id: queryFilterId(),
    }),
    data: orderPage,
  }),
} as const
