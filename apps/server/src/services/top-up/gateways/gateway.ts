import type { PaymentMethod } from '@tollgate/contract/top-up'
import type { Options } from '../../services.ts'

/** A way of being paid. Orders, their states and their credits are not its business. */
export interface PaymentGateway {
  /** Stored with each order. */
  readonly id: string
  /** Everything it needs is set. */
  isOpen(options: Options): boolean
  /** Where the browser may send that form, and be led on from there; none while it is not open. */
  formOrigins(options: Options): readonly string[]
  /** What the gateway calls a method; stored with the order and compared with the report of its payment. */
  methodName(method: PaymentMethod): string
  /** The form that a browser sends to it. */
  checkout(options: Options, order: Checkout): CheckoutForm
  /** What a report of its says; `undefined` for one that is not proven to be its own. */
  readReport(options: Options, fields: ReportFields): PaymentReport | undefined
}

export type ReportFields = Readonly<Record<string, string>>

export interface Checkout {
  readonly tradeNo: string
  readonly method: string
  /** Two places. */
  readonly money: string
  /** What the payer reads. */
  readonly title: string
  readonly notifyUrl: string
  readonly returnUrl: string
}

export interface CheckoutForm {
  readonly url: string
  readonly fields: Readonly<Record<string, string>>
}

/** Proven, but not yet compared with the order. */
export interface PaymentReport {
  readonly isPaid: boolean
  readonly tradeNo: string
  readonly providerTradeNo: string | undefined
  readonly method: string
  readonly money: string
}
