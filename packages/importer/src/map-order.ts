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
  const credited = Math.trunc(whole(row, 'amount') * quotaPerUnit)
  const isPossible = credited >= 0 && credited <= Number(AMOUNT_MAX)
  return {
    row: {
      id,
      user_id: whole(row, 'user_id'),
      trade_no: tradeNo,
      gateway: 'epay',
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
    notes: status
      ? []
      : [{ table: 'top_ups', id, code: 'order-status-unknown', detail: `status ${claimed}` }],
  }
}

const NUMBER_CHARACTERS_MAX = 255

function refusalOf(tradeNo: string, isPossible: boolean): NoteCode | undefined {
  if (tradeNo === '' || tradeNo.length > NUMBER_CHARACTERS_MAX) return 'order-without-number'
  return isPossible ? undefined : 'order-amount-impossible'
}
