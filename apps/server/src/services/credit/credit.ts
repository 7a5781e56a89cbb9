import { logEventSchema } from '@tollgate/contract/log-event/event'
import { LOG_TYPE } from '@tollgate/kit/codes'
import { accountId } from '@tollgate/ledger/account'
import { findUser } from '@tollgate/store/accounts/users'
import { z } from 'zod'
import { writeLog } from '../log/write.ts'
import type { Outbox, Work } from '../outbox/outbox.ts'
import type { Options, Services } from '../services.ts'

/**
 * Quota that a user is entitled to, and the log row about it. The entitlement and this work are queued in one
 * transaction. The credit has a ledger key, so that it is booked once however often it is attempted. See ADR
 * 0013.
 */
const creditSchema = z.object({
  /** Idempotency key of the ledger, for example `redeem:41`. */
  key: z.string(),
  userId: z.int(),
  units: z.string().regex(/^\d{1,18}$/),
  note: z.string(),
  /** The log row's event and its other members, in one object as the row stores them. */
  other: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  address: z.string(),
  /** The inviter's share of this credit in percent, from the setting at that time; 0: none. */
  rebatePercent: z.number(),
})
export type Credit = z.output<typeof creditSchema>

export type CreditServices = Pick<Services, 'store' | 'ledger' | 'clock' | 'options' | 'notices'> & {
  readonly outbox: Outbox
}

export function creditWork(
  options: Options,
  credit: Omit<Credit, 'rebatePercent'>,
): Work & { payload: Credit } {
  const rebatePercent = options.get('RebateEnabled') ? options.get('RebatePercentage') : 0
  return { cause: `credit:${credit.key}`, kind: 'credit', payload: { ...credit, rebatePercent } }
}

/**
 * Books the credit at once. Call it after the transaction that queued the work. Returns false if that failed;
 * the outbox will then retry.
 */
export async function giveNow(services: CreditServices, work: Work): Promise<boolean> {
  try {
    await giveCredit(services, work.payload)
    return true
  } catch {
    return false
  } finally {
    services.outbox.wake()
  }
}

export async function giveCredit(services: Omit<CreditServices, 'outbox'>, payload: unknown): Promise<void> {
  const credit = creditSchema.parse(payload)
  const { key, userId, note, other, address } = credit
  const amount = BigInt(credit.units)
  const result = await services.ledger.credit({ key, account: accountId('user', userId), amount, note })
  if (result.type === 'conflict') throw new Error(`${key} was credited with another amount before`)
  // This may be the user's first paid quota, which changes how the gateway reserves quota for their calls.
  await services.notices.publish('users', userId)
  const event = logEventSchema.parse(other)
  await writeLog(services, { key, userId, type: LOG_TYPE.topUp, event, more: other, address })
  await giveRebate(services, credit)
}

/** Credits a share to the inviter under a key of its own, and writes a log row for both users. */
async function giveRebate(services: Omit<CreditServices, 'outbox'>, credit: Credit): Promise<void> {
  const amount = shareOf(BigInt(credit.units), credit.rebatePercent)
  const inviterId = (await findUser(services.store, credit.userId))?.inviter_id ?? 0
  if (amount <= 0n || inviterId === 0) return
  const key = `rebate:${credit.key}`
  const account = accountId('user', inviterId)
  const result = await services.ledger.credit({ key, account, amount, note: 'rebate' })
  if (result.type === 'conflict') throw new Error(`${key} was credited otherwise before`)
  const type = LOG_TYPE.system
  const quota = Number(amount)
  await writeLog(services, { key, userId: inviterId, type, event: { event: 'rebate', quota } })
  await writeLog(services, {
    key: `${key}:told`,
    userId: credit.userId,
    type,
    event: { event: 'rebate_of_inviter', quota },
  })
}

const PARTS_OF_A_PERCENT = 1_000_000

/**
 * Truncated and not rounded. `percent` may have decimals; the calculation is exact to a millionth of a
 * percent.
 */
function shareOf(units: bigint, percent: number): bigint {
  return (units * BigInt(Math.round(percent * PARTS_OF_A_PERCENT))) / BigInt(100 * PARTS_OF_A_PERCENT)
}
