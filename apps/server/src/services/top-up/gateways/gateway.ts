import type { PaymentMethod } from '@tollgate/contract/top-up'
import type { Options } from '../../services.ts'

/** A payment gateway. Orders, their states and their credits are handled elsewhere. */
export interface PaymentGateway {
  /** Stored with each order. */
  readonly id: string
  /** Whether everything that the gateway needs is configured. */
  isOpen(options: Options): boolean
  /**
   * Origins that the browser may send the payment form to, including redirects; empty while the gateway is
   * not configured.
   */
  formOrigins(options: Options): readonly string[]
  /**
   * The gateway's own name of a payment method; stored with the order and compared with the payment callback.
   */
  methodName(method: PaymentMethod): string
  /** Returns the form that the browser submits to the gateway. */
  checkout(options: Options, order: Checkout): CheckoutForm
  /** Verifies and parses a payment callback; `undefined` if it is not proven to come from the gateway. */
  readReport(options: Options, fields: ReportFields): PaymentCallback | undefined
}

export type ReportFields = Readonly<Record<string, string>>

export interface Checkout {
  readonly tradeNo: string
  readonly method: string
  /** With two decimals. */
  readonly money: string
  /** Text shown to the payer. */
  readonly title: string
  readonly notifyUrl: string
  readonly returnUrl: string
}

export interface CheckoutForm {
  readonly url: string
  readonly fields: Readonly<Record<string, string>>
}

/** A callback whose signature is verified but which was not compared with the order yet. */
export interface PaymentCallback {
  readonly isPaid: boolean
  readonly tradeNo: string
  readonly providerTradeNo: string | undefined
  readonly method: string
  readonly money: string
}
