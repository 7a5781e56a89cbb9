import type { mailRoutes } from '@tollgate/contract/mail'
import { randomToken } from '@tollgate/kit/ids'
import { problem } from '@tollgate/problems/problem'
import { findUser } from '@tollgate/store/accounts/users'
import { MailFailure } from '../../mail/failure.ts'
import { writeEmail } from '../../mail/templates.ts'
import type { Handler } from '../handler.ts'
import { readEmail } from '../read-email.ts'
import { requireMail } from './rules.ts'
import type { MailServices } from './services.ts'

/**
 * Sent at once, not through the outbox, so that the person who edits the settings sees the mail server's
 * reply.
 */
export function sendTestMail(services: MailServices): Handler<typeof mailRoutes.sendTest> {
  const { store, options, mailer } = services
  return async ({ body, actor, language }) => {
    requireMail(services)
    const to = readEmail(body.to || ((await findUser(store, actor.id))?.email ?? ''))
    const letter = writeEmail(
      { type: 'test', server: options.get('SMTPServer') },
      { siteName: options.get('SystemName'), language },
    )
    try {
      const { response } = await mailer.send({ to, letter, cause: `test:${randomToken(16)}` })
      return { to, response }
    } catch (error) {
      if (!(error instanceof MailFailure)) throw error
      throw problem('mail_failed', { reason: error.message }, { cause: error })
    }
  }
}
