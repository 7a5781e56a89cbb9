import type { Language } from '@tollgate/problems/problem'
import { accountId } from '@tollgate/ledger/account'
import { listBalances } from '@tollgate/store/trade/balances'
import {
  lastEntryAtLeast,
  lastEntryId,
  listChargedUsers,
  listUserSettings,
} from '@tollgate/store/trade/low-balances'
import { readSetting } from '../account/setting-text.ts'
import { currencyText } from '../amount-text.ts'
import { canSendMail } from '../mail/rules.ts'
import type { Options } from '../services.ts'
import { type UserNotice, type NotifyPorts, notifyUser } from './notify-user.ts'

export type WatchParts = NotifyPorts & { readonly options: Options }

/** Finds the users whose balance fell below their threshold since the last check. */
export type BalanceWatch = () => Promise<void>

/**
 * How many entries a check reads back, at the first run and after another process has done the checks for a
 * while.
 */
const LOOK_BACK_ENTRIES = 10_000
/** Entries of other processes may become visible slightly out of order. */
const OVERLAP_ENTRIES = 200
const USERS_AT_ONCE = 200
const REMEMBERED_USERS = 10_000

/**
 * Reads the ledger after the fact, so that no call waits for it. One fall below the threshold is one cause,
 * named by the last entry that left the balance above it: it produces one message however often, and by
 * however many processes, it is seen. The message contains the balance after the call.
 */
export function watchBalances(parts: WatchParts): BalanceWatch {
  let seenId: number | undefined
  /** Avoids repeated outbox inserts for users whose balance stays low. */
  const reported = new Map<number, string>()
  return async () => {
    const { store } = parts
    const lastId = await lastEntryId(store)
    if (lastId === seenId) return
    const afterId = Math.max((seenId ?? 0) - OVERLAP_ENTRIES, lastId - LOOK_BACK_ENTRIES)
    const users = await listChargedUsers(store, afterId)
    for (let from = 0; from < users.length; from += USERS_AT_ONCE)
      for (const low of await lowAmong(parts, users.slice(from, from + USERS_AT_ONCE)))
        await tell(parts, low, reported)
    seenId = lastId
  }
}

interface Low {
  readonly userId: number
  readonly balance: bigint
  readonly threshold: bigint
}

/** Quota held for calls in flight is not spent yet, so it counts as balance. */
async function lowAmong({ store, options }: WatchParts, userIds: readonly number[]): Promise<readonly Low[]> {
  const settings = await listUserSettings(store, userIds)
  const accounts = settings.map(({ id }) => accountId('user', id))
  const balances = new Map((await listBalances(store, accounts)).map((row) => [row.id, row]))
  return settings.flatMap(({ id, setting: text }) => {
    const row = balances.get(accountId('user', id))
    const setting = readSetting(text)
    if (!row || (setting.notify_type === 'email' && !canSendMail(options))) return []
    const threshold = BigInt(
      Math.floor(setting.quota_warning_threshold ?? options.get('QuotaRemindThreshold')),
    )
    const balance = row.remaining + row.reserved - row.debt
    return balance < threshold ? [{ userId: id, balance, threshold }] : []
  })
}

async function tell(
  parts: WatchParts,
  { userId, balance, threshold }: Low,
  reported: Map<number, string>,
): Promise<void> {
  const account = accountId('user', userId)
  const since = await lastEntryAtLeast(parts.store, { account, amount: threshold })
  const cause = `low-balance:${userId}:${threshold}:${since}`
  if (reported.get(userId) === cause) return
  const message = (language: Language) => lowBalanceMessage(parts.options, { language, balance })
  if ((await notifyUser(parts, { userId, cause, message })) === 'nowhere') return
  if (reported.size >= REMEMBERED_USERS) reported.clear()
  reported.set(userId, cause)
}

/** Values in the order that new-api uses: title, balance, link, link. */
function lowBalanceMessage(
  options: Options,
  { language, balance }: { language: Language; balance: bigint },
): UserNotice {
  const address = options.get('ServerAddress')
  const link = address === '' ? '' : `${address}/topup`
  const amount = options.get('DisplayInCurrencyEnabled') ? currencyText(options, balance) : String(balance)
  const words = WORDS[language]
  return {
    type: 'quota_exceed',
    title: words.title,
    content: link === '' ? words.content : `${words.content}\n${words.topUp}`,
    values: [words.title, amount, link, link],
    link,
  }
}

const WORDS = {
  zh: {
    title: '您的额度即将用尽',
    content: '{{value}}，当前剩余额度为 {{value}}，为了不影响您的使用，请及时充值。',
    topUp: '充值链接：{{value}}',
  },
  en: {
    title: 'Your quota is about to run out',
    content: '{{value}}: {{value}} remains. Please top up in time, so that your calls go on.',
    topUp: 'Top up: {{value}}',
  },
} as const satisfies Record<Language, { title: string; content: string; topUp: string }>
