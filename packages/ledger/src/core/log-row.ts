import type { UsageLogRow } from '@tollgate/store/schema'
import { accountOwner } from './account-kind.ts'
import type { HoldState } from './state.ts'

/** The usage log's part of an operation: the ledger fills in what was charged, and why it may look odd. */

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

/** All that a hold knows of its call. The store adds the owner's name. */
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
  readonly hold: HoldState
  readonly quota: bigint
  readonly nowMs: number
}

/** Amounts in this JSON are read by consoles: a plain number while it is exact. */
function withFlags(other: string, { flags, waived }: { flags: readonly string[]; waived: bigint }): string {
  const extra = waived > 0n ? { flags, waived: Number(waived) } : { flags }
  return JSON.stringify({ ...parseObject(other), ...extra })
}

/** Of a price as it was frozen. */
export function priceNames(priceJson: string): { model: string; group: string } {
  const price = parseObject(priceJson)
  return { model: textOf(price['model']), group: textOf(price['group']) }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Text that is no JSON object says nothing, and must not keep a charge from being written. */
function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
