import { accountEvents, changeAuthors, EMAIL_UNDO_HOURS } from '@tollgate/contract/account-safety'
import { insertAccountNotice } from '@tollgate/store/accounts/notices'
import { z } from 'zod'
import type { Deliverer } from '../../jobs/outbox-worker.ts'
import { writeAccountEmail } from '../../mail/account-email.ts'
import { MailFailure } from '../../mail/failure.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { canSendMail } from '../mail/rules.ts'
import type { Services } from '../services.ts'
import { queuedChangeSchema } from './notify-owner.ts'

export interface AccountChangePorts extends Pick<Services, 'store' | 'clock' | 'options'> {
  readonly mailer: Pick<Mailer, 'send'>
}

const queuedSchema = queuedChangeSchema.extend({
  event: z.enum(accountEvents),
  by: z.enum(changeAuthors),
})
type Queued = z.output<typeof queuedSchema>

/** After this time delivery by email is given up, and the console shows a notice instead. */
const MAIL_WAITS_MS = EMAIL_UNDO_HOURS * 3_600_000

/**
 * Emails the owner. A notice in the console takes the place of the email when the account has no address, no
 * mail server is set, or the server refuses the email. An attempt with an unknown outcome is repeated,
 * because two notifications are better than none.
 */
export function accountChangeDeliverer(desk: AccountChangePorts): Deliverer {
  return {
    isRepeatable: true,
    isNeverGivenUp: true,
    deliver: async ({ cause, payload }) => {
      const change = queuedSchema.parse(payload)
      const isMailed = change.to !== '' && canSendMail(desk.options)
      const outcome =
        isMailed && desk.clock.nowMs() - change.atMs <= MAIL_WAITS_MS
          ? await mail(desk, cause, change)
          : 'not mailed'
      if (typeof outcome !== 'string') return { type: 'again', reason: outcome.message }
      if (outcome === 'not mailed') await note(desk, cause, change)
      return { type: 'done' }
    },
  }
}

/** Returns the failure if another attempt may succeed. */
async function mail(
  { options, mailer }: AccountChangePorts,
  cause: string,
  change: Queued,
): Promise<'mailed' | 'not mailed' | MailFailure> {
  const letter = writeAccountEmail(change, {
    siteName: options.get('SystemName'),
    siteAddress: options.get('ServerAddress'),
  })
  try {
    await mailer.send({ to: change.to, cause, letter })
    return 'mailed'
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error
    return error.next === 'again' ? error : 'not mailed'
  }
}

async function note(
  { store }: AccountChangePorts,
  cause: string,
  { userId, event, by, provider, email, address, atMs }: Queued,
): Promise<void> {
  const detail = JSON.stringify({ by, provider, email, address })
  await insertAccountNotice(store, { cause, userId, event, detail, nowMs: atMs })
}
