import {
  STATEMENT_CREDITS_MAX,
  STATEMENT_PART_ROWS,
  type Statement,
  type statementRoutes,
} from '@tollgate/contract/statement'
import { accountId } from '@tollgate/ledger/account'
import { DAY_MS, formatLocalDay, listDayStarts } from '@tollgate/kit/local-day'
import { listBalances } from '@tollgate/store/trade/balances'
import {
  listCreditsOf,
  listEntriesOf,
  sumChangesFrom,
  sumChargesByDay,
} from '@tollgate/store/trade/statements'
import { csvLine } from '../csv.ts'
import { currencyAmount } from '../currency-amount.ts'
import type { Handler } from '../handler.ts'
import type { Services } from '../services.ts'
import { wireQuota } from '../wire-quota.ts'

export type StatementServices = Pick<Services, 'store' | 'options'>

/** Computed backwards from the current balance, so that it agrees with the account. */
export function readStatement(services: StatementServices): Handler<typeof statementRoutes.read> {
  return async ({ query, actor }) => {
    const account = accountId('user', actor.id)
    const month = monthOf(query.month)
    const { store } = services
    const [now, sinceStart, sinceEnd, credits, days] = await Promise.all([
      settledBalance(store, account),
      sumChangesFrom(store, { account, fromMs: month.fromMs }),
      sumChangesFrom(store, { account, fromMs: month.untilMs }),
      listCreditsOf(store, { account, fromMs: month.fromMs, untilMs: month.untilMs }, STATEMENT_CREDITS_MAX),
      listChargedDays(store, account, month),
    ])
    const opening = now - sinceStart
    const closing = now - sinceEnd
    const spent = days.reduce((sum, day) => sum + day.spent, 0n)
    return {
      month: query.month,
      from: month.fromMs / 1000,
      until: month.untilMs / 1000 - 1,
      opening: wireQuota(opening),
      closing: wireQuota(closing),
      spent: wireQuota(spent),
      received: wireQuota(closing - opening + spent),
      credits: credits.map(toWireCredit),
      days: days.map(({ day, calls, spent: units }) => ({ day, calls, spent: wireQuota(units) })),
    }
  }
}

/** Returned in parts, so that a month may be of any length. */
export function exportStatement({ store, options }: StatementServices): Handler<typeof statementRoutes.csv> {
  return async ({ query, actor }) => {
    const { month, after_id: afterId } = query
    const { fromMs, untilMs } = monthOf(month)
    const period = { account: accountId('user', actor.id), fromMs, untilMs }
    const rows = await listEntriesOf(store, period, { afterId, limit: STATEMENT_PART_ROWS })
    const lines = rows.map((row) => {
      const change = row.kind === 'consume' || row.kind === 'correction' ? -row.amount : row.amount
      return csvLine([
        row.id,
        new Date(row.created_ms).toISOString(),
        row.kind,
        wireQuota(change),
        currencyAmount(change, options.get('QuotaPerUnit')),
        row.token_name ?? '',
        row.request_id ?? '',
        row.op_key,
        row.note ?? '',
      ])
    })
    return {
      file_name: `statement-${month}.csv`,
      csv: [...(afterId === 0 ? [csvLine(HEAD)] : []), ...lines].join(''),
      rows: rows.length,
      next_after_id: rows.length < STATEMENT_PART_ROWS ? 0 : (rows.at(-1)?.id ?? 0),
    }
  }
}

const HEAD = ['id', 'time_utc', 'kind', 'quota', 'amount', 'token', 'request_id', 'key', 'note']

/** The balance including quota held for calls in flight, because ledger entries do not include holds. */
async function settledBalance(store: Services['store'], account: number): Promise<bigint> {
  const [row] = await listBalances(store, [account])
  return row ? row.remaining + row.reserved - row.debt : 0n
}

type CreditRow = Awaited<ReturnType<typeof listCreditsOf>>[number]

function toWireCredit(row: CreditRow): Statement['credits'][number] {
  const { id, created_ms, kind, op_key: key, note, amount } = row
  return {
    id,
    created_at: Math.floor(created_ms / 1000),
    kind,
    key,
    note: note ?? '',
    change: wireQuota(amount),
  }
}

/** A month of the site, from its first moment to that of the next month. */
interface Month {
  readonly fromMs: number
  readonly untilMs: number
  /** When its days begin, and the next month. */
  readonly dayStarts: readonly number[]
}

/** `text` is like `2026-11`; the contract validates it. */
function monthOf(text: string): Month {
  const [year = 0, month = 0] = text.split('-').map(Number)
  const dayStarts = listDayStarts(year, month)
  return { fromMs: dayStarts[0] ?? 0, untilMs: dayStarts.at(-1) ?? 0, dayStarts }
}

/** Days with charges. Days of 23 or 25 hours, when the clocks change, are summed apart from the others. */
async function listChargedDays(store: Services['store'], account: number, { dayStarts }: Month) {
  const runs: { first: number; last: number }[] = []
  for (let index = 0; index + 1 < dayStarts.length; index++) {
    const run = runs.at(-1)
    const isWhole = (day: number) => (dayStarts[day + 1] ?? 0) - (dayStarts[day] ?? 0) === DAY_MS
    if (run !== undefined && isWhole(run.last) && isWhole(index)) run.last = index
    else runs.push({ first: index, last: index })
  }
  const sums = await Promise.all(
    runs.map(async ({ first, last }) => {
      const [fromMs = 0, untilMs = 0] = [dayStarts[first], dayStarts[last + 1]]
      const days = await sumChargesByDay(store, { account, fromMs, untilMs })
      // The hour that a long day has beyond 24 belongs to it.
      return days.map((day) => ({ ...day, at: dayStarts[Math.min(last, first + day.dayIndex)] ?? 0 }))
    }),
  )
  return mergeDays(sums.flat())
}

interface ChargedDay {
  readonly at: number
  readonly calls: number
  readonly spent: bigint
}

function mergeDays(parts: readonly ChargedDay[]): readonly { day: string; calls: number; spent: bigint }[] {
  const days = new Map<number, { calls: number; spent: bigint }>()
  for (const { at, calls, spent } of parts) {
    const sum = days.get(at) ?? { calls: 0, spent: 0n }
    days.set(at, { calls: sum.calls + calls, spent: sum.spent + spent })
  }
  return [...days].map(([at, sum]) => ({ day: formatLocalDay(at), ...sum }))
}
