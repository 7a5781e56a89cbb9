import type { TopUpTable } from '@tollgate/store/tables/trade'
import { decimal, seconds, text, whole } from './cell.ts'
import { AMOUNT_MAX } from './figures.ts'
import type { Note, NoteCode } from './note.ts'
import type { SourceRow } from './source.ts'

export interface MappedOrder {
  readonly row: Omit<TopUpTable, 'id'> & { readonly id: number }
  /** Why the order cannot be imported. */
  readonly refusal: NoteCode | undefined
  readonly notes: readonly Note[]
}

export interface OrderOptions {
  /** Quota units for one unit of currency in the source. */
  readonly quotaPerUnit: number
}

/** Some forks of new-api have more order states than `pending` and `success`. */
const STATUSES: Readonly<Record<string, TopUpTable['status']>> = {
  pending: 'pending',
  success: 'success',
  failed: 'failed',
  expired: 'closed',
  closed: 'closed',
}

/**
 * Maps a quota order. Quota from a paid order is already part of the owner's balance; a pending order can
 * still be paid.
 */
export function mapOrder(row: SourceRow, { quotaPerUnit }: OrderOptions): MappedOrder {
  const id = whole(row, 'id')
  const claimed = text(row, 'status').trim()
  const status = STATUSES[claimed]
  const tradeNo = text(row, 'trade_no').trim()
  const gateway = readGateway(row)
  const credited = creditedUnits(row, gateway, quotaPerUnit)
  const isPossible = credited >= 0 && credited <= Number(AMOUNT_MAX)
  return {
    row: {
      id,
      user_id: whole(row, 'user_id'),
      trade_no: tradeNo,
      gateway,
      method: text(row, 'payment_method').slice(0, 255),
      quota: isPossible ? BigInt(credited) : 0n,
      money: decimal(row, 'money').toFixed(2),
      currency: '',
      status: status ?? 'closed',
      provider_trade_no: null,
      create_time: seconds(row, 'create_time'),
      complete_time: seconds(row, 'complete_time'),
    },
    refusal: refusalOf(tradeNo, isPossible),
    notes: [
      ...(status ? [] : [orderNote(id, 'order-status-unknown', `status ${claimed}`)]),
      ...(status === 'pending' && gateway !== OWN_GATEWAY
        ? [orderNote(id, 'order-gateway-missing', `${gateway}, user ${whole(row, 'user_id')}`)]
        : []),
    ],
  }
}

function orderNote(id: number, code: NoteCode, detail: string): Note {
  return { table: 'top_ups', id, code, detail }
}

/** The gateway that can be used here as well; an order of any other cannot be paid. */
const OWN_GATEWAY = 'epay'

/** Before `payment_provider` existed, the other gateways were told apart by the method alone. */
const METHODS_OF_GATEWAYS: ReadonlySet<string> = new Set([
  'stripe',
  'creem',
  'waffo',
  'waffo_pancake',
  'balance',
])

function readGateway(row: SourceRow): string {
  const provider = text(row, 'payment_provider').trim().toLowerCase()
  if (provider !== '') return provider.slice(0, 64)
  const method = text(row, 'payment_method').trim().toLowerCase()
  return METHODS_OF_GATEWAYS.has(method) ? method : OWN_GATEWAY
}

/**
 * What the source credits for the order: for Creem `amount` is quota, for Stripe `money` is currency after the
 * group's ratio, and for all others `amount` is currency.
 */
function creditedUnits(row: SourceRow, gateway: string, quotaPerUnit: number): number {
  if (gateway === 'creem') return whole(row, 'amount')
  const currency = gateway === 'stripe' ? decimal(row, 'money') : whole(row, 'amount')
  return Math.trunc(Number((currency * quotaPerUnit).toFixed(DIGITS)))
}

/** Removes the error of binary fractions: 0.57 of 500,000 is 285,000. */
const DIGITS = 4

const NUMBER_CHARACTERS_MAX = 255

function refusalOf(tradeNo: string, isPossible: boolean): NoteCode | undefined {
  if (tradeNo === '' || tradeNo.length > NUMBER_CHARACTERS_MAX) return 'order-without-number'
  return isPossible ? undefined : 'order-amount-impossible'
}
