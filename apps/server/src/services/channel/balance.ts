import type { channelRoutes } from '@tollgate/contract/channel'
import { CHANNEL_STATUS } from '@tollgate/kit/codes'
import { setTimeout as pause } from 'node:timers/promises'
import { Problem, problem } from '@tollgate/problems/problem'
import { readBalanceOf } from '@tollgate/providers/define/balance'
import { channelKeyHash, listChannelKeys } from '@tollgate/store/channels/keys'
import {
  channelKeyContext,
  listChannelsInOrder,
  recordChannelBalance,
} from '@tollgate/store/channels/channels'
import type { JobFigures, RunContext } from '../../jobs/job.ts'
import { Answer, type Handler } from '../handler.ts'
import { type StoredChannel, storedChannel } from './stored-channel.ts'
import { readUpstream, upstreamOfRow } from './read-upstream.ts'
import { type ChannelServices, providerOf } from './services.ts'
import type { ChannelSwitch } from './switch.ts'

/**
 * For a channel with more keys only the first ones are queried: querying a thousand accounts would take
 * minutes.
 */
const KEYS_ASKED_MAX = 20

export type BalanceParts = Pick<
  ChannelServices,
  'store' | 'cipher' | 'clock' | 'providers' | 'egress' | 'options'
>

export function updateBalance(services: ChannelServices): Handler<typeof channelRoutes.updateBalance> {
  return async ({ params }) => {
    const row = await storedChannel(services, params.id)
    const { balance, currency } = await askForBalance(services, row)
    return new Answer({ data: null, extra: { balance, currency } })
  }
}

export interface AllBalancesParts extends BalanceParts {
  readonly switch: ChannelSwitch
  readonly pauseMs: number
}

/**
 * Updates the balance of every enabled channel whose provider reports one. Failures are counted, and those
 * channels keep their previous balance.
 */
export function updateAllBalances(parts: AllBalancesParts): (context?: RunContext) => Promise<JobFigures> {
  return async (context) => {
    const all = await listChannelsInOrder(parts.store)
    const channels = all.filter(
      ({ status, type }) => status === CHANNEL_STATUS.enabled && providerOf(parts, type)?.balance,
    )
    const figures = { asked: 0, failed: 0, disabled: 0 }
    for (const { id, auto_ban: autoBan } of channels) {
      context?.report({ done: figures.asked, total: channels.length })
      const balance = await balanceOf(parts, id)
      figures.asked++
      if (balance === undefined) figures.failed++
      const isEmpty = balance !== undefined && balance <= 0
      const mayDisable = autoBan === 1 && parts.options.get('AutomaticDisableChannelEnabled')
      if (isEmpty && mayDisable && (await parts.switch.disable({ channelId: id, reason: EMPTY })))
        figures.disabled++
      if (parts.pauseMs > 0) await pause(parts.pauseMs)
    }
    return figures
  }
}

const EMPTY = 'insufficient balance'

async function balanceOf(parts: AllBalancesParts, id: number): Promise<number | undefined> {
  try {
    return (await askForBalance(parts, await storedChannel(parts, id))).balance
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

interface Balance {
  readonly balance: number
  readonly currency: string
}

/** Sums the balances of the channel's keys in use, with one request per key. */
async function askForBalance(parts: BalanceParts, row: StoredChannel): Promise<Balance> {
  const provider = providerOf(parts, row.type)
  const reader = provider?.balance
  if (!provider || !reader) throw problem('channel_balance_unsupported')
  const nowMs = parts.clock.nowMs()
  let balance = 0
  let currency = ''
  for (const key of await keysInUse(parts, row)) {
    const upstream = upstreamOfRow(row, provider, key)
    const get = (url: string) =>
      readUpstream(parts.egress, provider, { upstream, url, authHeaders: reader.authHeaders })
    const reported = await readBalanceOf(reader, { upstream, nowMs, get })
    if (reported === undefined || !Number.isFinite(reported.amount))
      throw problem('channel_balance_unreadable')
    balance += reported.amount
    currency = reported.currency
  }
  await recordChannelBalance(parts.store, {
    id: row.id,
    balance,
    currency,
    updatedTime: Math.floor(nowMs / 1000),
  })
  return { balance, currency }
}

async function keysInUse({ store, cipher }: BalanceParts, row: StoredChannel): Promise<readonly string[]> {
  const keys = cipher.decrypt(row.key_sealed, channelKeyContext(row.id)).split('\n')
  const states = await listChannelKeys(store, row.id)
  const disabled = new Set(
    states.filter(({ status }) => status !== CHANNEL_STATUS.enabled).map((state) => state.key_hash),
  )
  const used = keys.filter((key) => !disabled.has(channelKeyHash(row.id, key)))
  return (used.length > 0 ? used : keys).slice(0, KEYS_ASKED_MAX)
}
