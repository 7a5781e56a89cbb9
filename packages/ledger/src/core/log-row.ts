import type { UsageLogRow } from '@tollgate/store/tables/logs'
import { accountOwner } from './account-kind.ts'
import type { HoldState } from './state.ts'

/**
 * Usage log rows that the ledger writes with an operation. The ledger fills in the charge and the flags that
 * explain an unusual charge.
 */

const CONSUMPTION = 2

export interface SettledLog {
  readonly row: UsageLogRow
  readonly requestId: string
  readonly quota: bigint
  readonly flags: readonly string[]
  readonly waived: bigint
}

export function settledLog({ row, requestId, quota, flags, waived }: SettledLog): UsageLogRow {
  const other = flags.length > 0 ? withFlags(row.other, { flags, waived }) : row.other
  return { ...row, request_id: requestId, quota, other }
}

export function releasedLog(row: UsageLogRow, requestId: string): UsageLogRow {
  return { ...row, request_id: requestId, quota: 0n }
}

/** A log row from everything that a hold knows about its call. The store adds the names of user and token. */
export function recoveredLog({ hold, quota, nowMs }: RecoveredLog): UsageLogRow {
  const { model, group } = priceNames(hold.priceJson)
  return {
    request_id: hold.id,
    user_id: accountOwner(hold.userAccount),
    created_at: Math.floor(nowMs / 1000),
    type: CONSUMPTION,
    content: '',
    username: '',
    token_id: hold.tokenAccount === undefined ? 0 : accountOwner(hold.tokenAccount),
    token_name: '',
    model_name: model,
    quota,
    prompt_tokens: 0,
    completion_tokens: 0,
    use_time: 0,
    duration_ms: 0,
    first_byte_ms: 0,
    is_stream: 0,
    channel_id: hold.channelId ?? 0,
    group_name: group,
    ip: '',
    other: JSON.stringify({
      flags: ['recovered'],
      receipt: { held: String(hold.amount), ceiling: String(hold.ceiling) },
    }),
  }
}

interface RecoveredLog {
  readonly hold: Pick<
    HoldState,
    'id' | 'userAccount' | 'tokenAccount' | 'amount' | 'ceiling' | 'priceJson' | 'channelId'
  >
  readonly quota: bigint
  readonly nowMs: number
}

/** Consoles read amounts in this JSON, so `waived` is written as a number, exact up to 2^53. */
function withFlags(other: string, { flags, waived }: { flags: readonly string[]; waived: bigint }): string {
  const extra = waived > 0n ? { flags, waived: Number(waived) } : { flags }
  return JSON.stringify({ ...parseObject(other), ...extra })
}

/** Model and group of a frozen price. */
export function priceNames(priceJson: string): { model: string; group: string } {
  const price = parseObject(priceJson)
  return { model: textOf(price['model']), group: textOf(price['group']) }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Invalid JSON is treated as an empty object: it must not keep a charge from being written. */
function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
