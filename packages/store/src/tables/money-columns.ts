const MONEY_COLUMNS: ReadonlySet<string> = new Set([
  'granted',
  'remaining',
  'reserved',
  'used',
  'debt',
  'exposed',
  'followed',
  'amount',
  'ceiling',
  'checkpoint',
  'waived',
  'balance_after',
  'consume_sum',
  'refund_sum',
  'credit_sum',
  'quota',
  'cost',
  'costed_quota',
  'cache_saved',
  'used_quota',
  'remain_quota',
  'aff_quota',
  'budget_quota',
  'budget_base',
  'free',
  'allotted',
  'budget_amount',
  'budget_free',
])

/** Columns and aliases with these names are returned as bigint, all other integers as number. */
export function isMoneyColumn(name: string): boolean {
  return MONEY_COLUMNS.has(name)
}
