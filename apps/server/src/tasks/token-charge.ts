import { chargeUnits } from '@tollgate/billing/charge'
import { priceFromJson } from '@tollgate/billing/recompute'
import { parseObject, textAt } from '@tollgate/dialects/json'
import { noUsage, type Usage } from '@tollgate/dialects/usage'
import { readFirstPrice } from '@tollgate/store/trade/charges'
import type { Database } from '@tollgate/store/tables/schema'
import type { TaskRow } from '@tollgate/store/operations/tasks'
import type { Kysely } from 'kysely'

/** The usage of a task by the output tokens that its upstream reported. */
export function usageOfTokens(outputText: number): Usage {
  return { ...noUsage, outputText, toolCalls: { submission: 1 } }
}

/** Adds the final price to `detail`. The row's `quota` stays the amount first charged. */
export function withPaid(detail: string, units: bigint): string {
  return JSON.stringify({ ...parseObject(detail), paid_units: units.toString() })
}

/** The cost of a task as far as it is known. A failed task costs nothing, because its charge is refunded. */
export function paidUnits({ detail, quota, status }: Pick<TaskRow, 'detail' | 'quota' | 'status'>): bigint {
  if (status === 'FAILURE') return 0n
  const reported = textAt(parseObject(detail) ?? {}, 'paid_units')
  return reported === undefined ? quota : BigInt(reported)
}

export interface TokenCharge {
  /** Reported by the upstream; the usual number by its formula if it reported none that is credible. */
  readonly tokens: number
  /**
   * The excess to refund. Never negative: the amount held is the most that is charged, whatever is reported.
   */
  readonly refundUnits: bigint
}

/**
 * The final charge of a task that was charged an estimate, at the price of its admission; `undefined` when
 * nothing was estimated.
 */
export async function tokenCharge(
  db: Kysely<Database>,
  row: Pick<TaskRow, 'detail' | 'quota' | 'request_id'>,
  reported: number | undefined,
): Promise<TokenCharge | undefined> {
  const usual = parseObject(row.detail)?.['tokens_usual']
  if (typeof usual !== 'number' || row.request_id === null || row.quota === 0n) return undefined
  const priceJson = await readFirstPrice(db, row.request_id)
  if (priceJson === undefined) return undefined
  const tokens = reported ?? usual
  const units = chargeUnits(priceFromJson(priceJson), usageOfTokens(tokens))
  return { tokens, refundUnits: units < row.quota ? row.quota - units : 0n }
}
