import { CHANNEL_STATUS, type ChargeNoteKind } from '@tollgate/kit/codes'
import { type PeriodKind, periodAt } from '@tollgate/kit/calendar-period'
import type { Ledger } from '@tollgate/ledger/ledger'
import { sumTraffic } from '@tollgate/store/channels/traffic'
import { listBalances } from '@tollgate/store/channels/channels'
import { channelNames } from '@tollgate/store/logs/logs'
import { dayOfNotes, listChargeNotes } from '@tollgate/store/operations/charge-notes'
import { listTokenBudgets, oldestDueWorkMs } from '@tollgate/store/operations/alerts'
import { listJobRuns } from '@tollgate/store/operations/job-runs'
import { listNodeFigures } from '@tollgate/store/operations/node-figures'
import { AUDIT_JOB, findingsOf } from '../../jobs/audit.ts'
import type { NodeFigures } from '../../jobs/note-node.ts'
import type { Snapshots } from '../../snapshots/snapshots.ts'
import type { Services } from '../services.ts'

export interface RuleParts extends Pick<Services, 'store' | 'clock' | 'options'> {
  readonly ledger: Pick<Ledger, 'health' | 'gauges'>
  readonly snapshots: Pick<Snapshots, 'roster'>
  readonly isResting: (channelId: number) => boolean
  /** Whether the certificate of the sign-in provider is refused. */
  readonly certificateProblem: () => Promise<string | undefined>
  /** Whether the database is a copy that nobody has confirmed. */
  readonly isCopy: () => boolean
}

/** One thing that is wrong: its subject, such as a channel's id, and what the message says of it. */
export interface Finding {
  readonly subject: string
  readonly values: Readonly<Record<string, string | number>>
}

export interface AlertRule {
  /** Nothing is sent when it is over. */
  readonly isSentOnce?: true
  /** How long it must last before it is an alert. */
  readonly forMs: number
  find(parts: RuleParts): Promise<readonly Finding[]> | readonly Finding[]
}

const MINUTE_MS = 60_000
const WINDOW_MS = 10 * MINUTE_MS
const REQUESTS_MIN = 20
const OUTBOX_MS = 15 * MINUTE_MS
/** Normally the database is 100 ms behind the journal. */
const FOLD_LAG_MS = MINUTE_MS
const BUDGETS_MAX = 5_000
/** A process reports every ten seconds. */
const REPORTED_MS = MINUTE_MS
const DISK_FREE_BYTES_MIN = 1024 ** 3
const DISK_FREE_PERCENT_MIN = 10
/** A mended account is an alert for this long. */
const MENDED_MS = 60 * MINUTE_MS
/** Findings of one rule; more of them say nothing new. */
export const FINDINGS_MAX = 50

const nothing: readonly Finding[] = []
const site = (values: Finding['values']): readonly Finding[] => [{ subject: '', values }]

/** Charges of one kind today, by channel and model: a new alert every day. */
function chargeRule(kind: ChargeNoteKind) {
  return {
    forMs: 0,
    isSentOnce: true,
    find: async ({ store, clock, options }: RuleParts): Promise<readonly Finding[]> => {
      const day = dayOfNotes(clock.nowMs())
      const notes = await listChargeNotes(store, { sinceDay: day, limit: CHARGE_NOTES_MAX })
      const own = notes.filter((note) => note.kind === kind)
      const names = await channelNames(store, [...new Set(own.map((note) => note.channel_id))])
      const unitsPerCurrency = options.get('QuotaPerUnit')
      return own.map(({ channel_id: id, model, detail, calls, quota }) => ({
        subject: `${id}:${model}:${day}`,
        values: {
          id,
          name: names.get(id) ?? '',
          model,
          detail,
          calls,
          amount: `$${(Number(quota) / unitsPerCurrency).toFixed(4)}`,
        },
      }))
    },
  } as const
}

const CHARGE_NOTES_MAX = 500

export const alertRules = {
  channel: {
    forMs: 3 * MINUTE_MS,
    find: ({ snapshots, isResting }) =>
      snapshots
        .roster()
        .all()
        .filter(
          ({ id, status }) =>
            status === CHANNEL_STATUS.autoDisabled || (status === CHANNEL_STATUS.enabled && isResting(id)),
        )
        .map(({ id, name }) => ({ subject: String(id), values: { id, name } })),
  },
  errors: {
    forMs: MINUTE_MS,
    find: async ({ store, clock, options }) => {
      const most = options.get('AlertErrorPercent')
      const { succeeded, failed } = await sumTraffic(store, clock.nowMs() - WINDOW_MS)
      const all = succeeded + failed
      const percent = all === 0 ? 0 : (failed * 100) / all
      return most > 0 && all >= REQUESTS_MIN && percent >= most
        ? site({ percent: Math.round(percent), failed, all })
        : nothing
    },
  },
  balance: {
    forMs: 0,
    find: async ({ store, options }) => {
      const least = options.get('AlertUpstreamBalance')
      if (least <= 0) return nothing
      const low = await listBalances(store, { below: least, limit: FINDINGS_MAX })
      return low.map(({ id, name, balance, balance_currency: currency }) => ({
        subject: String(id),
        values: { id, name, balance: `${balance} ${currency}`.trim() },
      }))
    },
  },
  debt: {
    forMs: 0,
    find: async ({ ledger, options }) => {
      const most = options.get('AlertDebt')
      if (most <= 0) return nothing
      const { debtTotal } = await ledger.gauges()
      return debtTotal > BigInt(most) ? site({ debt: String(debtTotal) }) : nothing
    },
  },
  audit: {
    forMs: 0,
    find: async ({ store }) => {
      const runs = await listJobRuns(store)
      const count = findingsOf(runs.find(({ name }) => name === AUDIT_JOB)?.figures)
      return count > 0 ? site({ count }) : nothing
    },
  },
  outbox: {
    forMs: 0,
    find: async ({ store, clock }) => {
      const oldestMs = await oldestDueWorkMs(store)
      const waitedMs = oldestMs === undefined ? 0 : clock.nowMs() - oldestMs
      return waitedMs > OUTBOX_MS ? site({ minutes: Math.round(waitedMs / MINUTE_MS) }) : nothing
    },
  },
  journal: {
    forMs: 5 * MINUTE_MS,
    find: ({ ledger }) => {
      const { isWritable, journaled = 0, foldLagMs = 0 } = ledger.health()
      const isBehind = !isWritable || journaled > 0 || foldLagMs > FOLD_LAG_MS
      return isBehind ? site({ seconds: Math.round(foldLagMs / 1000) }) : nothing
    },
  },
  allotment: {
    forMs: 0,
    find: async ({ store, clock }) => {
      const nowMs = clock.nowMs()
      const rows = await listNodeFigures(store, nowMs - MENDED_MS)
      const mended = rows.map(readMended).filter(({ lastMs }) => lastMs > nowMs - MENDED_MS)
      const count = mended.reduce((sum, { accounts }) => sum + accounts, 0)
      return count > 0 ? site({ count }) : nothing
    },
  },
  copy: {
    forMs: 0,
    find: ({ isCopy }) => (isCopy() ? site({}) : nothing),
  },
  disk: {
    forMs: 0,
    find: async ({ store, clock }) => {
      const rows = await listNodeFigures(store, clock.nowMs() - REPORTED_MS)
      return rows.flatMap(({ figures }) => readShortDisk(JSON.parse(figures)) ?? [])
    },
  },
  budget: {
    forMs: 0,
    find: async ({ store, clock }) => {
      const nowMs = clock.nowMs()
      const tokens = await listTokenBudgets(store, BUDGETS_MAX)
      return tokens
        .map((token) => ({ ...token, percent: percentSpent(token, nowMs) }))
        .filter(({ percent }) => percent >= 80)
        .map(({ id, name, percent }) => ({ subject: String(id), values: { id, name, percent } }))
    },
  },
  fee_unknown: chargeRule('fee_unknown'),
  tool_unknown: chargeRule('tool_unknown'),
  usage_mended: chargeRule('usage_mended'),
  served_other: chargeRule('served_other'),
  waived: chargeRule('waived'),
  usage_unknown: chargeRule('usage_unknown'),
  cost_doubted: chargeRule('cost_doubted'),
  certificate: {
    forMs: 0,
    find: async ({ certificateProblem }) => {
      const reason = await certificateProblem()
      return reason === undefined ? nothing : site({ reason })
    },
  },
} as const satisfies Record<string, AlertRule>

export type AlertRuleName = keyof typeof alertRules

/** A process of an earlier version does not report this. */
function readMended({ figures }: { readonly figures: string }): { accounts: number; lastMs: number } {
  const { allotments_mended: accounts = 0, allotment_mended_ms: lastMs = 0 }: Partial<NodeFigures> =
    JSON.parse(figures)
  return { accounts, lastMs }
}

/** A disk with less than 10 % or 1 GiB of room. Processes on one host, with one disk, are one finding. */
function readShortDisk({
  host = '',
  disk_free_bytes: freeBytes = null,
  disk_size_bytes: sizeBytes = null,
}: Partial<NodeFigures>): Finding | undefined {
  if (freeBytes === null || sizeBytes === null || sizeBytes === 0) return undefined
  const percent = Math.floor((freeBytes * 100) / sizeBytes)
  if (freeBytes >= DISK_FREE_BYTES_MIN && percent >= DISK_FREE_PERCENT_MIN) return undefined
  return { subject: host, values: { host, percent, mebibytes: Math.floor(freeBytes / 1024 ** 2) } }
}

interface Spent {
  readonly budget_quota: bigint
  readonly budget_period: string
  readonly used: bigint
  readonly budget_base: bigint
  readonly budget_since_ms: number
}

/** A period that has not been spent in yet begins with the next charge. */
function percentSpent(token: Spent, nowMs: number): number {
  const { budget_quota: quota, budget_period: period } = token
  if (quota <= 0n || !isPeriod(period)) return 0
  if (token.budget_since_ms < periodAt(period, nowMs).sinceMs) return 0
  return Number(((token.used - token.budget_base) * 100n) / quota)
}

function isPeriod(text: string): text is PeriodKind {
  return text === 'day' || text === 'week' || text === 'month'
}
