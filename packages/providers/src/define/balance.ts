import { isRecord, recordAt } from '@tollgate/dialects/json'
import type { UpstreamBalance, BalanceReader } from '../provider.ts'
import { joinUrl } from './url.ts'

/**
 * Reads a balance with one GET; `where` is the dotted path of the amount in the response, such as
 * `data.balance`.
 */
export function balanceAt(
  path: string,
  where: string,
  currency: UpstreamBalance['currency'] = 'USD',
): BalanceReader {
  return {
    url: ({ baseUrl }) => joinUrl(baseUrl, path),
    read: (body) => inCurrency(amountAt(body, where), currency),
  }
}

const CHAT_ENDING = /(?:\/v1)?\/chat\/completions$/
const DAY_MS = 24 * 60 * 60 * 1000
/** Accounts without a payment method report their usage for the last hundred days. */
const UNPAID_DAYS = 100

/**
 * The balance is a limit minus what was used of it this month. These are the two requests that OpenAI's own
 * dashboard used to make; most gateways derived from new-api and one-api still serve them.
 */
export const dashboardBalance: BalanceReader = {
  url: ({ baseUrl }) => dashboard(baseUrl, 'subscription'),
  read: (body) => inCurrency(amountAt(body, 'hard_limit_usd'), 'USD'),
  used: {
    url: ({ baseUrl }, limit, nowMs) => {
      const isPaid = isRecord(limit) && limit['has_payment_method'] === true
      const start = isPaid ? monthStart(nowMs) : nowMs - UNPAID_DAYS * DAY_MS
      return dashboard(baseUrl, `usage?start_date=${dateOf(start)}&end_date=${dateOf(nowMs)}`)
    },
    // The amount is in cents.
    read: (body) => {
      const cents = amountAt(body, 'total_usage')
      return cents === undefined ? undefined : cents / 100
    },
  },
}

function dashboard(baseUrl: string, what: string): string {
  return joinUrl(
    baseUrl.replace(/\/\{model\}.*$/, '').replace(CHAT_ENDING, ''),
    `/v1/dashboard/billing/${what}`,
  )
}

function monthStart(nowMs: number): number {
  const now = new Date(nowMs)
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

export function inCurrency(
  amount: number | undefined,
  currency: UpstreamBalance['currency'],
): UpstreamBalance | undefined {
  return amount === undefined ? undefined : { amount, currency }
}

/** Reads a number, or a text that contains one. */
export function amountAt(body: unknown, where: string): number | undefined {
  const path = where.split('.')
  const last = path.pop() ?? ''
  let object = isRecord(body) ? body : {}
  for (const name of path) object = recordAt(object, name) ?? {}
  const reported = object[last]
  const isAmount = typeof reported === 'number' || (typeof reported === 'string' && reported.trim() !== '')
  const amount = isAmount ? Number(reported) : Number.NaN
  return Number.isFinite(amount) ? amount : undefined
}

/**
 * Reads the balance of an upstream. `get` performs a GET and returns the parsed body. Returns `undefined`
 * when the upstream reported no balance.
 */
export async function readBalanceOf(
  reader: BalanceReader,
  { upstream, nowMs, get }: BalanceRequest,
): Promise<UpstreamBalance | undefined> {
  const first = await get(reader.url(upstream))
  const reported = reader.read(first)
  if (reported === undefined || reader.used === undefined) return reported
  const used = reader.used.read(await get(reader.used.url(upstream, first, nowMs)))
  return used === undefined ? undefined : { ...reported, amount: reported.amount - used }
}

export interface BalanceRequest {
  readonly upstream: Parameters<BalanceReader['url']>[0]
  readonly nowMs: number
  readonly get: (url: string) => Promise<unknown>
}
