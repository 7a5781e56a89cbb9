import { LOG_TYPE } from '@tollgate/kit/codes'
import { type AccountId, accountId } from '@tollgate/ledger/account'
import { z } from 'zod'
import { writeLog } from '../log/write.ts'
import type { Work } from '../outbox/outbox.ts'
import type { Options, Services } from '../services.ts'

/** Rewards of a registration, from the settings at that time. */
const welcomeSchema = z.object({
  userId: z.int(),
  /** 0: no inviter. */
  inviterId: z.int(),
  units: z.object({ newUser: z.int(), invitee: z.int(), inviter: z.int() }),
})
export type Welcome = z.output<typeof welcomeSchema>

/**
 * Queued in the transaction that creates the user, so that neither a crash nor a retry loses or doubles a
 * reward.
 */
export function welcomeWork(options: Options, who: Pick<Welcome, 'userId' | 'inviterId'>): Work {
  const isInvited = who.inviterId !== 0
  const units = {
    newUser: options.get('QuotaForNewUser'),
    invitee: isInvited ? options.get('QuotaForInvitee') : 0,
    inviter: isInvited ? options.get('QuotaForInviter') : 0,
  }
  return { cause: `welcome:${who.userId}`, kind: 'welcome', payload: { ...who, units } satisfies Welcome }
}

type WelcomeServices = Pick<Services, 'store' | 'ledger' | 'clock'>

/**
 * Books each credit once under its key and writes one log row for the user who gets it. Repeating it changes
 * nothing.
 */
export async function giveWelcome(services: WelcomeServices, payload: unknown): Promise<void> {
  const { userId, inviterId, units } = welcomeSchema.parse(payload)
  await give(services, {
    key: `gift:new:${userId}`,
    account: accountId('user', userId),
    userId,
    units: units.newUser,
    event: 'gift_new_user',
  })
  await give(services, {
    key: `invited:${userId}`,
    account: accountId('user', userId),
    userId,
    units: units.invitee,
    event: 'gift_invitee',
  })
  await give(services, {
    key: `invite:${userId}`,
    account: accountId('affiliate', inviterId),
    userId: inviterId,
    units: units.inviter,
    event: 'gift_inviter',
  })
}

interface Gift {
  readonly key: string
  readonly account: AccountId
  readonly userId: number
  readonly units: number
  readonly event: 'gift_new_user' | 'gift_invitee' | 'gift_inviter'
}

async function give(services: WelcomeServices, gift: Gift): Promise<void> {
  const { key, account, userId, event, units } = gift
  if (units <= 0) return
  await services.ledger.credit({ key, account, amount: BigInt(units), note: event })
  await writeLog(services, {
    key,
    userId,
    type: LOG_TYPE.system,
    event: { event, quota: units },
  })
}
