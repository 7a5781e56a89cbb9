import { chargeUnits } from '@tollgate/billing/charge'
import { priceFromJson } from '@tollgate/billing/recompute'
import { parseObject, textAt } from '@tollgate/dialects/json'
import { noUsage, type Usage } from '@tollgate/dialects/usage'
import { readFirstPrice } from '@tollgate/store/charges'
import type { Database } from '@tollgate/store/schema'
import type { TaskRow } from '@tollgate/store/tasks'
import type { Kysely } from 'kysely'

/** What was made, by the tokens that its upstream counted for it. */
export function usageOfTokens(outputText: number): Usage {
  return { ...noUsage, outputText, toolCalls: { submission: 1 } }
}

/** The row's quota stays what its call was charged at first; what was paid in the end stands beside it. */
export function withPaid(detail: string, units: bigint): string {
  return JSON.stringify({ ...parseObject(detail), paid_units: units.toString() })
}

/** What a task cost in the end, as far as is known by now. What a failed one was charged is given back as it ends. */
export function paidUnits({ detail, quota, status }: Pick<TaskRow, 'detail' | 'quota' | 'status'>): bigint {
  if (status === 'FAILURE') return 0n
  const told = textAt(parseObject(detail) ?? {}, 'paid_units')
  return told === undefined ? quota : BigInt(told)
}

export interface TokenCharge {
  /** Told by the upstream; its own formula where it told none that can be true. */
  readonly tokens: number
  /** What was charged beyond that. Never negative: what was set aside is the most that is paid, whatever is told. */
  readonly backUnits: bigint
}

/**
 * What a task costs that was charged by an estimate, at the price it was admitted at; `undefined` where nothing was
 * estimated.
 */
export async function tokenCharge(
  db: Kysely<Database>,
  row: Pick<TaskRow, 'detail' | 'quota' | 'request_id'>,
  told: number | undefined,
): Promise<TokenCharge | undefined> {
  const usual = parseObject(row.detail)?.['tokens_usual']
  if (typeof usual !== 'number' || row.request_id === null || row.quota === 0n) return undefined
  const priceJson = await readFirstPrice(db, row.request_id)
  if (priceJson === undefined) return undefined
  const tokens = told ?? usual
  const units = chargeUnits(priceFromJson(priceJson), usageOfTokens(tokens))
  return { tokens, backUnits: units < row.quota ? row.quota - units : 0n }
}
