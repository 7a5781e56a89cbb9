import type { mailRoutes } from '@tollgate/contract/mail'
import { randomToken } from '@tollgate/kit/ids'
import { problem } from '@tollgate/problems/problem'
import { findUserByEmail } from '@tollgate/store/accounts/users'
import { z } from 'zod'
import type { QueuedMail } from '../../mail/deliver-mail.ts'
import type { Handler } from '../handler.ts'
import { readEmail } from '../read-email.ts'
import { CODE_MINUTES } from './codes.ts'
import { countMail, requireMail, requireWorkingMail } from './rules.ts'
import type { AccountMail, MailServices } from './services.ts'

/** Gives the same immediate response for every address; a link is sent only if an account has it. */
export function requestReset(services: MailServices): Handler<typeof mailRoutes.sendResetLink> {
  const { options, outbox } = services
  return async ({ query, language }) => {
    const email = readEmail(query.email)
    requireMail(services)
    if (options.get('ServerAddress') === '') throw problem('server_address_missing')
    await requireWorkingMail(services)
    await countMail(services, email)
    const payload: ResetRequest = { email, language }
    await outbox.add({ cause: `reset:${randomToken(16)}`, kind: 'reset-request', payload })
    return null
  }
}

const requestSchema = z.object({ email: z.string(), language: z.enum(['en', 'zh']) })
type ResetRequest = z.output<typeof requestSchema>

export async function serveResetRequest(
  services: AccountMail,
  { cause, payload }: { cause: string; payload: unknown },
): Promise<void> {
  const { email, language } = requestSchema.parse(payload)
  const owner = await findUserByEmail(services.store, email)
  if (!owner || owner.isDeleted) return
  const { code, expiresMs } = await services.codes.make({ purpose: 'reset', subject: email, form: 'linked' })
  const link = resetLink(services.options.get('ServerAddress'), { email, token: code })
  const mail: QueuedMail = {
    to: email,
    language,
    expiresMs,
    letter: { type: 'reset', link, minutes: CODE_MINUTES },
  }
  await services.outbox.add({ cause: `${cause}:mail`, kind: 'mail', payload: mail })
}

/**
 * The link uses the configured address only. The host name of the request must not get into an email, because
 * the caller chooses it.
 */
function resetLink(serverAddress: string, parameters: { email: string; token: string }): string {
  return `${serverAddress}/user/reset?${new URLSearchParams(parameters).toString()}`
}
